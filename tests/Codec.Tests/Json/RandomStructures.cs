using System.Reflection;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Json;

/// <summary>Structures with values of all kinds, the same for the same seed. Of values that UA Binary tells apart and
/// JSON does not (null and empty names, a null array in a Variant) only one is made.</summary>
internal sealed class RandomStructures(int seed)
{
    private const int MostLevels = 3;

    private static readonly string[] Texts = ["", "a", "水", "\U0001F600", "\"\\\n\t", "5:x", ";%", "é\u2028"];

    private readonly Random _random = new(seed);

    public IStructure Make(Type type) => (IStructure)Structure(type, 0);

    private object Structure(Type type, int level)
    {
        var structure = Activator.CreateInstance(type)!;
        var fields = SampleStructures.Fields(type).ToList();
        if (type.GetCustomAttribute<StructureAttribute>(inherit: false)?.StructureType == StructureType.Union)
            fields = fields.Count == 0 || _random.Next(8) == 0 ? [] : [fields[_random.Next(fields.Count)]];
        foreach (var field in fields.Where(_ => level <= MostLevels))
        {
            var allowed = field.GetCustomAttribute<AllowSubtypesAttribute>()?.BaseType;
            field.SetValue(structure, Value(field.PropertyType, level, allowed));
        }

        return structure;
    }

    private object? Value(Type type, int level, Type? allowed)
    {
        if (Nullable.GetUnderlyingType(type) is { } inner)
            return _random.Next(3) == 0 ? null : Value(inner, level, allowed);
        if (type.IsArray && type != typeof(byte[]))
        {
            if (_random.Next(4) == 0)
                return null;
            var array = Array.CreateInstance(type.GetElementType()!, _random.Next(3));
            for (var i = 0; i < array.Length; i++)
                array.SetValue(Value(type.GetElementType()!, level + 1, allowed), i);
            return array;
        }

        if (type.IsEnum)
        {
            var defined = Enum.GetValuesAsUnderlyingType(type);
            return Enum.ToObject(type, _random.Next(3) == 0 ? _random.Next(1000) : defined.GetValue(0)!);
        }

        return typeof(IStructure).IsAssignableFrom(type) ? Structure(type, level + 1) : One(type, level, allowed);
    }

    private object? One(Type type, int level, Type? allowed) => type.Name switch
    {
        nameof(Boolean) => _random.Next(2) == 0,
        nameof(SByte) => (sbyte)Number(),
        nameof(Byte) => (byte)Number(),
        nameof(Int16) => (short)Number(),
        nameof(UInt16) => (ushort)Number(),
        nameof(Int32) => (int)Number(),
        nameof(UInt32) => (uint)Number(),
        nameof(Int64) => Number(),
        nameof(UInt64) => (ulong)Number(),
        nameof(Single) => _random.Next(4) == 0 ? -0f : BitConverter.Int32BitsToSingle((int)Number()),
        nameof(Double) => _random.Next(4) == 0 ? -0d : BitConverter.Int64BitsToDouble(Number()),
        nameof(String) => Text(),
        nameof(DateTime) => _random.Next(3) == 0 ? DateTime.MinValue : SampleVariants.Time.AddTicks(_random.Next()),
        nameof(Guid) => _random.Next(3) == 0 ? Guid.Empty : SampleVariants.Guid,
        "Byte[]" => _random.Next(4) == 0 ? null : Bytes(),
        nameof(XmlElement) => new XmlElement(Text()),
        nameof(NodeId) => NodeId(),
        nameof(ExpandedNodeId) => _random.Next(2) == 0
            ? new ExpandedNodeId(NodeId())
            : new ExpandedNodeId(new NodeId("x", 0), "urn:remote", (uint)_random.Next(3)),
        nameof(StatusCode) => _random.Next(2) == 0 ? default : new StatusCode(0x80000000 | (uint)_random.Next()),
        nameof(QualifiedName) => _random.Next(3) == 0 ? default : new QualifiedName("q" + Text(), 2),
        nameof(LocalizedText) => _random.Next(3) == 0 ? default : new LocalizedText("t" + Text(), "en"),
        nameof(ExtensionObject) => Extension(level, allowed),
        nameof(DataValue) => new DataValue(Variant(level), StatusCodes.UncertainInitialValue, SampleVariants.Time),
        nameof(Variant) => Variant(level),
        nameof(DiagnosticInfo) => _random.Next(2) == 0 ? null : new DiagnosticInfo { SymbolicId = _random.Next(9) },
        _ => throw new NotSupportedException(type.FullName),
    };

    private ExtensionObject Extension(int level, Type? allowed)
    {
        if (level > MostLevels || _random.Next(3) == 0)
            return default;
        if (_random.Next(3) == 0)
            return new ExtensionObject(new NodeId("Unknown", 2), Bytes());
        var types = SampleStructures.Types.Where(t => allowed is null || allowed.IsAssignableFrom(t)).ToList();
        return new ExtensionObject((IStructure)Structure(types[_random.Next(types.Count)], level + 1));
    }

    private Variant Variant(int level)
    {
        if (level > MostLevels)
            return default;
        return _random.Next(6) switch
        {
            0 => default,
            1 => new Variant((int)Number()),
            2 => new Variant(BitConverter.Int64BitsToDouble(Number())),
            3 => Gateway.Codec.Types.Variant.FromArray(BuiltInType.String, new string?[] { Text(), "x" }),
            4 => Gateway.Codec.Types.Variant.FromMatrix(
                BuiltInType.UInt64, new Matrix(new ulong[] { (ulong)Number(), 1, 2, 3 }, [2, 2])),
            _ => new Variant(Extension(level + 1, null)),
        };
    }

    private NodeId NodeId() => _random.Next(5) switch
    {
        0 => default,
        1 => new NodeId((uint)_random.Next(), 2),
        2 => new NodeId("n" + Text(), (ushort)_random.Next(4)),
        3 => new NodeId(SampleVariants.Guid, 1),
        _ => new NodeId([.. Bytes(), 1], 1),
    };

    private string? Text()
    {
        if (_random.Next(4) == 0)
            return null;
        return string.Concat(Enumerable.Range(0, _random.Next(3)).Select(_ => Texts[_random.Next(Texts.Length)]));
    }

    private byte[] Bytes()
    {
        var bytes = new byte[_random.Next(6)];
        _random.NextBytes(bytes);
        return bytes;
    }

    /// <summary>Often 0, which encodings omit.</summary>
    private long Number() => _random.Next(3) == 0 ? 0 : _random.NextInt64(long.MinValue, long.MaxValue);
}
