using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Samples;

/// <summary>Values of each of the 25 built-in types: ordinary ones, the ends of the range, null and empty.</summary>
internal static class SampleVariants
{
    public static readonly Guid Guid = new("72962B91-FA75-4AE6-8D28-B404DC7DAF63");

    public static readonly DateTime Time = new(2026, 11, 21, 4, 30, 0, 123, DateTimeKind.Utc);

    /// <summary>The CLR array of each type that a Variant may hold; a scalar of each element but Variant is one too.
    /// </summary>
    public static IReadOnlyDictionary<BuiltInType, Array> Arrays { get; } = new Dictionary<BuiltInType, Array>
    {
        [BuiltInType.Boolean] = new[] { true, false, true },
        [BuiltInType.SByte] = new sbyte[] { sbyte.MinValue, -1, 0, sbyte.MaxValue },
        [BuiltInType.Byte] = new byte[] { 0, 1, byte.MaxValue },
        [BuiltInType.Int16] = new short[] { short.MinValue, -1, short.MaxValue },
        [BuiltInType.UInt16] = new ushort[] { 0, ushort.MaxValue },
        [BuiltInType.Int32] = new[] { int.MinValue, -1, 1_000_000_000, int.MaxValue },
        [BuiltInType.UInt32] = new uint[] { 0, uint.MaxValue },
        [BuiltInType.Int64] = new[] { long.MinValue, -1, long.MaxValue },
        [BuiltInType.UInt64] = new ulong[] { 0, ulong.MaxValue },
        [BuiltInType.Float] = new[] { -6.5f, 0, float.NaN, float.PositiveInfinity, float.Epsilon },
        [BuiltInType.Double] = new[] { -6.5, double.NaN, double.NegativeInfinity, double.MaxValue },
        [BuiltInType.String] = new[] { "水Boy", null, "", "\U0001F600" },
        [BuiltInType.DateTime] = new[] { Time, DateTime.MinValue, DateTime.MaxValue },
        [BuiltInType.Guid] = new[] { Guid, Guid.Empty },
        [BuiltInType.ByteString] = new[] { new byte[] { 1, 2, 3 }, null, [] },
        [BuiltInType.XmlElement] = new XmlElement[] { new("<a>水</a>"), new(null) },
        [BuiltInType.NodeId] = NodeIds,
        [BuiltInType.ExpandedNodeId] = new ExpandedNodeId[]
        {
            default, new(new NodeId(85)), new(new NodeId("Tag", 0), "urn:x"), new(new NodeId(7, 3), null, 5),
        },
        [BuiltInType.StatusCode] = new StatusCode[] { StatusCodes.Good, StatusCodes.BadTimeout, 0x40920480 },
        [BuiltInType.QualifiedName] = new QualifiedName[] { new("Name", 2), new(null) },
        [BuiltInType.LocalizedText] = new LocalizedText[]
        {
            new("Text", "en"), new("Text"), new(null, "de"), new(null),
        },
        [BuiltInType.ExtensionObject] = new ExtensionObject[]
        {
            default, new(new NodeId(1, 9), [1, 2, 3]), new(new NodeId(1, 9), (byte[]?)null),
            new(new NodeId("Type", 9), new XmlElement("<b/>")),
        },
        [BuiltInType.DataValue] = new DataValue[]
        {
            default, new(new Variant(1.5), StatusCodes.UncertainInitialValue, Time, Time, 10, 20),
            new(StatusCodes.BadTimeout), new(new Variant("x"), ServerTimestamp: Time),
        },
        [BuiltInType.Variant] = new Variant[]
        {
            default, new(5), new("x"), Variant.FromArray(BuiltInType.Int32, new[] { 1, 2 }),
            Variant.FromArray(BuiltInType.Variant, new Variant[] { new(1), default }),
        },
        [BuiltInType.DiagnosticInfo] = new[]
        {
            null,
            new DiagnosticInfo { SymbolicId = 1, NamespaceUri = 2, Locale = 3, LocalizedText = 4 },
            new DiagnosticInfo { AdditionalInfo = "a" },
            new DiagnosticInfo
            {
                InnerStatusCode = StatusCodes.BadTimeout,
                InnerDiagnosticInfo = new DiagnosticInfo { SymbolicId = 0 },
            },
        },
    };

    public static NodeId[] NodeIds =>
    [
        default, new(255), new(256), new(65535, 255), new(65536, 255), new(1, 256), new(uint.MaxValue, ushort.MaxValue),
        new("Hot水", 1), new("", 1), new(Guid, 2), new([1, 2, 3], 3), new(Array.Empty<byte>(), 3),
    ];

    public static Variant Scalar(BuiltInType type, object? value) => type switch
    {
        BuiltInType.Boolean => new Variant((bool)value!),
        BuiltInType.SByte => new Variant((sbyte)value!),
        BuiltInType.Byte => new Variant((byte)value!),
        BuiltInType.Int16 => new Variant((short)value!),
        BuiltInType.UInt16 => new Variant((ushort)value!),
        BuiltInType.Int32 => new Variant((int)value!),
        BuiltInType.UInt32 => new Variant((uint)value!),
        BuiltInType.Int64 => new Variant((long)value!),
        BuiltInType.UInt64 => new Variant((ulong)value!),
        BuiltInType.Float => new Variant((float)value!),
        BuiltInType.Double => new Variant((double)value!),
        BuiltInType.String => new Variant((string?)value),
        BuiltInType.DateTime => new Variant((DateTime)value!),
        BuiltInType.Guid => new Variant((Guid)value!),
        BuiltInType.ByteString => Variant.FromByteString((byte[]?)value),
        BuiltInType.XmlElement => new Variant((XmlElement)value!),
        BuiltInType.NodeId => new Variant((NodeId)value!),
        BuiltInType.ExpandedNodeId => new Variant((ExpandedNodeId)value!),
        BuiltInType.StatusCode => new Variant((StatusCode)value!),
        BuiltInType.QualifiedName => new Variant((QualifiedName)value!),
        BuiltInType.LocalizedText => new Variant((LocalizedText)value!),
        BuiltInType.ExtensionObject => new Variant((ExtensionObject)value!),
        BuiltInType.DataValue => new Variant((DataValue)value!),
        BuiltInType.DiagnosticInfo => new Variant((DiagnosticInfo?)value),
        _ => throw new ArgumentOutOfRangeException(nameof(type), type, "no scalar"),
    };
}
