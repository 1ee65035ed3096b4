using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;
using Gateway.Testing;

namespace Gateway.Codec.Tests.Binary;

/// <summary>The hot paths allocate nothing once they are warm.</summary>
public sealed class AllocationTests
{
    private delegate void Operation(PooledBuffer buffer, byte[] bytes);

    [Fact]
    public void Encode_ResponsesAndValues_AllocatesNothing()
    {
        var response = new ReadResponse
        {
            Results =
            [
                new DataValue(new Variant(1.5), default, SampleVariants.Time, SampleVariants.Time),
                new DataValue(new Variant("text"), StatusCodes.UncertainInitialValue),
                new DataValue(Variant.FromArray(BuiltInType.Int32, new[] { 1, 2, 3 })),
            ],
        };
        var request = new ReadRequest { NodesToRead = [new ReadValueId { NodeId = new NodeId("Tag", 2) }] };

        AssertNoAllocation([], (buffer, _) =>
        {
            var writer = new UaBinaryWriter(buffer);
            writer.WriteNodeId(new NodeId(ReadResponse.BinaryEncodingId));
            response.Encode(ref writer);
            request.Encode(ref writer);
            writer.WriteLocalizedText(new LocalizedText("text", "en"));
            writer.WriteQualifiedName(new QualifiedName("name", 2));
            writer.WriteExpandedNodeId(new NodeId(85));
            writer.Complete();
        });
    }

    [Fact]
    public void Read_ScalarsAndStructuresWithoutReferences_AllocatesNothing()
    {
        var bytes = Wire.Encode((ref UaBinaryWriter w) =>
        {
            w.WriteDataValue(new DataValue(new Variant(1.5), default, SampleVariants.Time, SampleVariants.Time));
            w.WriteVariant(new Variant(7));
            w.WriteVariant(new Variant(SampleVariants.Time));
            w.WriteNodeId(new NodeId(1000, 2));
            w.WriteStructure(new SubscriptionAcknowledgement { SubscriptionId = 1, SequenceNumber = 2 });
            w.WriteStructure(new MonitoringParameters { ClientHandle = 3 });
            w.WriteStructure(new ReadValueId { NodeId = new NodeId(1), AttributeId = 13 });
            w.WriteStructure(new RequestHeader { AuthenticationToken = new NodeId(1, 1), RequestHandle = 5 });
            w.WriteString("skipped");
        });

        AssertNoAllocation(bytes, (_, encoded) =>
        {
            var reader = new UaBinaryReader(encoded);
            reader.ReadDataValue();
            reader.ReadVariant();
            reader.ReadVariant();
            reader.ReadNodeId();
            reader.ReadStructure<SubscriptionAcknowledgement>();
            reader.ReadStructure<MonitoringParameters>();
            reader.ReadStructure<ReadValueId>();
            reader.ReadStructure<RequestHeader>();
            reader.ReadStringBytes();
            if (reader.Failed || reader.Remaining != 0)
                throw new InvalidOperationException(reader.Status.ToString());
        });
    }

    private static void AssertNoAllocation(byte[] bytes, Operation action)
    {
        using var buffer = new PooledBuffer(64);
        Assert.Equal(0, Allocations.OfThousand(Once));

        void Once()
        {
            buffer.Reset();
            action(buffer, bytes);
        }
    }
}
