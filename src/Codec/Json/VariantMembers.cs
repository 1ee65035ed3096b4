using System.Text.Json;
using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>The members of a Variant while they are read, in whatever order they come: a value that comes before its
/// type is stepped over and read at the end. Owner: one read method. Source: Part 6 §5.4.2.17.</summary>
internal ref struct VariantMembers
{
    private Utf8JsonReader _valueAt;
    private Variant _value;
    private int[]? _dimensions;
    private BuiltInType _type;
    private bool _hasType;
    private bool _hasValue;
    private bool _isSteppedOver;
    private bool _isNull;

    public void ReadType(scoped ref UaJsonReader reader)
    {
        _type = (BuiltInType)reader.ReadInteger(0, (int)BuiltInType.DiagnosticInfo, "a built-in type");
        _hasType = !reader.Failed;
    }

    public void ReadValue(scoped ref UaJsonReader reader)
    {
        if (reader.IsNull)
        {
            _isNull = true;
            return;
        }

        _hasValue = true;
        if (_hasType)
        {
            _value = ReadContent(ref reader, _type);
            return;
        }

        _isSteppedOver = true;
        _valueAt = reader.StepOver();
    }

    public void ReadDimensions(scoped ref UaJsonReader reader) =>
        _dimensions = reader.ReadArray<int>(BuiltInType.Int32);

    /// <param name="reader">At the end of the object.</param>
    /// <param name="isDataValue">Without a type the value is a Variant of its own, as in the deprecated encoding.
    /// </param>
    public Variant Finish(scoped ref UaJsonReader reader, bool isDataValue)
    {
        if (reader.Failed)
            return default;
        if (!_hasType && !(isDataValue && _isSteppedOver) && (_hasValue || _dimensions is not null))
        {
            reader.Expected("a member UaType");
            return default;
        }

        if (_isSteppedOver)
        {
            var end = reader.Rewind(_valueAt);
            _value = _hasType ? ReadContent(ref reader, _type) : reader.ReadVariant();
            reader.Rewind(end);
        }

        if (_isNull && IsNeverNull(_type))
        {
            // As JavaScript writes a Double that is NaN. An omitted value is the default.
            reader.Expected($"no null for {_type}");
            return default;
        }

        if (!_hasValue)
            _value = VariantScalarJson.Default(_type);
        return reader.Failed ? default : WithDimensions(ref reader);
    }

    /// <summary>Source: Part 6 §5.1.2, Table 1.</summary>
    private static bool IsNeverNull(BuiltInType type) =>
        type is >= BuiltInType.Boolean and <= BuiltInType.Double or BuiltInType.StatusCode;

    private static Variant ReadContent(scoped ref UaJsonReader reader, BuiltInType type)
    {
        if (reader.IsStartArray && type != BuiltInType.Null)
            return Variant.FromArray(type, ArrayJson.Read(ref reader, type));
        if (type is not (BuiltInType.Null or BuiltInType.Variant))
            return VariantScalarJson.Read(ref reader, type);
        reader.Expected(type == BuiltInType.Null ? "no value beside UaType 0" : "an array of Variants");
        return default;
    }

    private readonly Variant WithDimensions(scoped ref UaJsonReader reader)
    {
        if (_dimensions is not { Length: > 0 } dimensions)
            return _value;
        if (dimensions.Length > VariantBinary.MaxDimensions)
        {
            reader.Fail(StatusCodes.BadEncodingLimitsExceeded, "too many dimensions");
            return default;
        }

        if (_value.IsScalar || VariantBinary.Product(dimensions) != (_value.Elements?.Length ?? 0))
        {
            reader.Expected("Dimensions whose product is the number of elements");
            return default;
        }

        return dimensions.Length == 1 || _value.Elements is not { } elements
            ? _value
            : Variant.FromMatrix(_value.Type, new Matrix(elements, dimensions));
    }
}
