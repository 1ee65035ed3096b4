namespace Gateway.Codec.Types;

/// <summary>
/// Shape: a built-in type and a scalar, a one-dimensional array or a <see cref="Matrix"/> of it; the default is the
/// null Variant. Scalars up to eight bytes are held in place, everything else by reference; arrays are the CLR array
/// of the element (<c>byte[]</c> of type Byte is an array, of type ByteString a scalar). 24 bytes.
/// Errors: the <c>As…</c> members return the type's default where the Variant holds something else.
/// Source: Part 6 §5.2.2.16.
/// </summary>
public readonly struct Variant : IEquatable<Variant>
{
    private readonly object? _reference;
    private readonly long _bits;
    private readonly ValueShape _shape;

    private Variant(BuiltInType type, long bits)
    {
        Type = type;
        _bits = bits;
    }

    private Variant(BuiltInType type, object? reference, ValueShape shape = ValueShape.Scalar)
    {
        Type = type;
        _reference = reference;
        _shape = shape;
    }

    public Variant(bool value) : this(BuiltInType.Boolean, value ? 1L : 0L) { }

    public Variant(sbyte value) : this(BuiltInType.SByte, (long)value) { }

    public Variant(byte value) : this(BuiltInType.Byte, (long)value) { }

    public Variant(short value) : this(BuiltInType.Int16, (long)value) { }

    public Variant(ushort value) : this(BuiltInType.UInt16, (long)value) { }

    public Variant(int value) : this(BuiltInType.Int32, (long)value) { }

    public Variant(uint value) : this(BuiltInType.UInt32, (long)value) { }

    public Variant(long value) : this(BuiltInType.Int64, value) { }

    public Variant(ulong value) : this(BuiltInType.UInt64, (long)value) { }

    public Variant(float value) : this(BuiltInType.Float, (long)BitConverter.SingleToInt32Bits(value)) { }

    public Variant(double value) : this(BuiltInType.Double, BitConverter.DoubleToInt64Bits(value)) { }

    public Variant(DateTime value) : this(BuiltInType.DateTime, value.Ticks) { }

    public Variant(StatusCode value) : this(BuiltInType.StatusCode, (long)value.Code) { }

    public Variant(string? value) : this(BuiltInType.String, value) { }

    public Variant(Guid value) : this(BuiltInType.Guid, value) { }

    public Variant(XmlElement value) : this(BuiltInType.XmlElement, value) { }

    public Variant(NodeId value) : this(BuiltInType.NodeId, value) { }

    public Variant(ExpandedNodeId value) : this(BuiltInType.ExpandedNodeId, value) { }

    public Variant(QualifiedName value) : this(BuiltInType.QualifiedName, value) { }

    public Variant(LocalizedText value) : this(BuiltInType.LocalizedText, value) { }

    public Variant(ExtensionObject value) : this(BuiltInType.ExtensionObject, value) { }

    public Variant(DataValue value) : this(BuiltInType.DataValue, value) { }

    public Variant(DiagnosticInfo? value) : this(BuiltInType.DiagnosticInfo, value) { }

    public static Variant Null => default;

    public BuiltInType Type { get; }

    public bool IsNull => Type == BuiltInType.Null;

    public bool IsScalar => _shape == ValueShape.Scalar;

    /// <summary>A one-dimensional array; a matrix is not one.</summary>
    public bool IsArray => _shape == ValueShape.Array;

    public bool IsMatrix => _shape == ValueShape.Matrix;

    /// <summary>Scalar −1, array 1, matrix its number of dimensions: the ValueRank that this value has.</summary>
    public int ValueRank => _shape switch
    {
        ValueShape.Scalar => -1,
        ValueShape.Array => 1,
        _ => ((Matrix)_reference!).Dimensions.Length,
    };

    /// <summary>Type and CLR element type must fit (see the type's summary); a null array is an array of no value.
    /// </summary>
    public static Variant FromArray(BuiltInType elementType, Array? elements) =>
        new(elementType, elements, ValueShape.Array);

    public static Variant FromMatrix(BuiltInType elementType, Matrix matrix) =>
        new(elementType, matrix, ValueShape.Matrix);

    public static Variant FromByteString(byte[]? value) => new(BuiltInType.ByteString, value);

    public static Variant FromStructure(Structures.IStructure? body) => new(new ExtensionObject(body));

    public bool AsBoolean() => Type == BuiltInType.Boolean && _bits != 0;

    /// <summary>Any integer type, widened; 0 for the rest. A UInt64 above Int64 comes back as its bits.</summary>
    public long AsInt64() => Type is >= BuiltInType.Boolean and <= BuiltInType.UInt64 && IsScalar ? _bits : 0;

    public ulong AsUInt64() => (ulong)AsInt64();

    public int AsInt32() => (int)AsInt64();

    public uint AsUInt32() => (uint)AsInt64();

    public float AsFloat() => Type == BuiltInType.Float ? BitConverter.Int32BitsToSingle((int)_bits) : 0;

    /// <summary>Any numeric scalar as Double; NaN for the rest.</summary>
    public double AsDouble() => !IsScalar ? double.NaN : Type switch
    {
        BuiltInType.Double => BitConverter.Int64BitsToDouble(_bits),
        BuiltInType.Float => BitConverter.Int32BitsToSingle((int)_bits),
        BuiltInType.UInt64 => (ulong)_bits,
        >= BuiltInType.SByte and <= BuiltInType.Int64 => _bits,
        _ => double.NaN,
    };

    public DateTime AsDateTime() => Type == BuiltInType.DateTime ? new DateTime(_bits, DateTimeKind.Utc) : default;

    public StatusCode AsStatusCode() => Type == BuiltInType.StatusCode ? new StatusCode((uint)_bits) : default;

    public string? AsString() => Type == BuiltInType.String ? _reference as string : null;

    public byte[]? AsByteString() => Type == BuiltInType.ByteString && IsScalar ? _reference as byte[] : null;

    public Guid AsGuid() => Boxed<Guid>();

    public NodeId AsNodeId() => Boxed<NodeId>();

    public ExpandedNodeId AsExpandedNodeId() => Boxed<ExpandedNodeId>();

    public QualifiedName AsQualifiedName() => Boxed<QualifiedName>();

    public LocalizedText AsLocalizedText() => Boxed<LocalizedText>();

    public XmlElement AsXmlElement() => Boxed<XmlElement>();

    public ExtensionObject AsExtensionObject() => Boxed<ExtensionObject>();

    public DataValue AsDataValue() => Boxed<DataValue>();

    public DiagnosticInfo? AsDiagnosticInfo() => _reference as DiagnosticInfo;

    /// <summary>The structure inside a scalar ExtensionObject, or null.</summary>
    public T? AsStructure<T>()
        where T : class => AsExtensionObject().Body as T;

    /// <summary>The elements of an array or of a matrix (row-major); null for a scalar and for a null
    /// array.</summary>
    public Array? Elements => _shape switch
    {
        ValueShape.Array => (Array?)_reference,
        ValueShape.Matrix => ((Matrix)_reference!).Elements,
        _ => null,
    };

    public T[]? AsArray<T>() => Elements as T[];

    public Matrix? AsMatrix() => _reference as Matrix;

    /// <summary>The value boxed as its CLR type: for tools, logs and the control plane.</summary>
    public object? ToObject()
    {
        if (!IsScalar)
            return _reference;
        return Type switch
        {
            BuiltInType.Null => null,
            BuiltInType.Boolean => _bits != 0,
            BuiltInType.SByte => (sbyte)_bits,
            BuiltInType.Byte => (byte)_bits,
            BuiltInType.Int16 => (short)_bits,
            BuiltInType.UInt16 => (ushort)_bits,
            BuiltInType.Int32 => (int)_bits,
            BuiltInType.UInt32 => (uint)_bits,
            BuiltInType.Int64 => _bits,
            BuiltInType.UInt64 => (ulong)_bits,
            BuiltInType.Float => AsFloat(),
            BuiltInType.Double => AsDouble(),
            BuiltInType.DateTime => AsDateTime(),
            BuiltInType.StatusCode => AsStatusCode(),
            _ => _reference,
        };
    }

    public static bool operator ==(Variant left, Variant right) => left.Equals(right);

    public static bool operator !=(Variant left, Variant right) => !left.Equals(right);

    /// <summary>By type, shape and content; element by element for arrays; NaN equals NaN.</summary>
    public bool Equals(Variant other)
    {
        if (Type != other.Type || _shape != other._shape || _bits != other._bits)
            return false;
        if (ReferenceEquals(_reference, other._reference))
            return true;
        return VariantEquality.ReferencesEqual(_reference, other._reference);
    }

    public override bool Equals(object? obj) => obj is Variant other && Equals(other);

    public override int GetHashCode() =>
        HashCode.Combine(Type, _shape, _bits, _reference is Array or Matrix or ExtensionObject ? null : _reference);

    public override string ToString() => ToObject()?.ToString() ?? "null";

    private T Boxed<T>()
        where T : struct => IsScalar && _reference is T value ? value : default;

    private enum ValueShape : byte
    {
        Scalar,
        Array,
        Matrix,
    }
}
