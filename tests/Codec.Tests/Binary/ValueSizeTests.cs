using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Binary;

public sealed class ValueSizeTests
{
    private const int Count = 1_000;

    public static TheoryData<Variant> Values => new()
    {
        Variant.FromByteString(new byte[Count]),
        new Variant(new string('x', Count)),
        Array(BuiltInType.Boolean, true),
        Array(BuiltInType.Double, 1.5),
        Array(BuiltInType.DateTime, DateTime.UnixEpoch),
        Array(BuiltInType.Guid, Guid.Empty),
        Array(BuiltInType.StatusCode, default(StatusCode)),
        Array(BuiltInType.String, "some text"),
        Array(BuiltInType.ByteString, new byte[9]),
        Array(BuiltInType.XmlElement, new XmlElement("<some/>")),
        Array(BuiltInType.NodeId, new NodeId("some", 1)),
        Array(BuiltInType.NodeId, new NodeId(1)),
        Array(BuiltInType.ExpandedNodeId, new ExpandedNodeId(new NodeId("some", 0), "urn:uri")),
        Array(BuiltInType.QualifiedName, new QualifiedName("some")),
        Array(BuiltInType.LocalizedText, new LocalizedText("some", "en")),
        Array(BuiltInType.ExtensionObject, new ExtensionObject(new NodeId(5, 1), new byte[20])),
        Array(BuiltInType.ExtensionObject, new ExtensionObject(new Argument { Name = "some" })),
        Array(BuiltInType.DataValue, default(DataValue)),
        Array(BuiltInType.DataValue, new DataValue(new Variant("some text"))),
        Array(BuiltInType.Variant, new Variant("some text")),
        Array(BuiltInType.DiagnosticInfo, new DiagnosticInfo { AdditionalInfo = "some" }),
        Variant.FromMatrix(BuiltInType.Int32, new Matrix(new int[Count], [2, Count / 2])),
    };

    /// <summary>The reader says what it allocated.</summary>
    [Theory]
    [MemberData(nameof(Values))]
    public void Of_DecodedValue_AboutWhatTheReaderCharged(Variant value)
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        writer.WriteVariant(value);
        writer.Complete();
        var reader = new UaBinaryReader(buffer.WrittenSpan);
        var decoded = reader.ReadVariant();
        Assert.False(reader.Failed);
        Assert.InRange(ValueSize.Of(decoded), reader.DecodedBytes / 2, reader.DecodedBytes * 2);
    }

    [Fact]
    public void Allowance_OneDoesNotFit_NothingAfterIt()
    {
        var allowance = new ValueAllowance(2_100);
        var value = Variant.FromByteString(new byte[Count]);
        Assert.True(allowance.TryTake(value));
        Assert.True(allowance.TryTake([value, new Variant(1)]));
        Assert.False(allowance.IsSpent);
        Assert.False(allowance.TryTake([new Variant(1), value]));
        Assert.True(allowance.IsSpent);
        Assert.False(allowance.TryTake(new Variant(1)));
    }

    private static Variant Array<T>(BuiltInType type, T element)
    {
        var elements = new T[Count];
        System.Array.Fill(elements, element);
        return Variant.FromArray(type, elements);
    }
}
