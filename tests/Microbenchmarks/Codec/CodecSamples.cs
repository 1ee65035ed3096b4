using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Microbenchmarks.Codec;

/// <summary>The messages that the codec's benchmarks write and read.</summary>
internal static class CodecSamples
{
    private static readonly DateTime Time = new(2026, 11, 21, 4, 30, 0, DateTimeKind.Utc);

    public static ReadRequest ReadRequest(int count) => new()
    {
        RequestHeader = new RequestHeader
        {
            AuthenticationToken = new NodeId(Guid.Empty, 0),
            Timestamp = Time,
            RequestHandle = 1,
            TimeoutHint = 10_000,
        },
        TimestampsToReturn = TimestampsToReturn.Both,
        NodesToRead = Make(count, i => new ReadValueId { NodeId = new NodeId((uint)(1000 + i), 2), AttributeId = 13 }),
    };

    public static ReadResponse ReadResponse(int count) => new()
    {
        ResponseHeader = new ResponseHeader { Timestamp = Time, RequestHandle = 1 },
        Results = Make(count, Value),
    };

    public static PublishResponse PublishResponse(int count) => new()
    {
        ResponseHeader = new ResponseHeader { Timestamp = Time, RequestHandle = 1 },
        SubscriptionId = 1,
        AvailableSequenceNumbers = [1],
        NotificationMessage = new NotificationMessage
        {
            SequenceNumber = 1,
            PublishTime = Time,
            NotificationData =
            [
                new ExtensionObject(new DataChangeNotification
                {
                    MonitoredItems = Make(
                        count, i => new MonitoredItemNotification { ClientHandle = (uint)i, Value = Value(i) }),
                }),
            ],
        },
    };

    public static BrowseResponse BrowseResponse(int count, bool byName = false) => new()
    {
        Results =
        [
            new BrowseResult
            {
                References = Make(count, i => new ReferenceDescription
                {
                    ReferenceTypeId = new NodeId(35),
                    IsForward = true,
                    NodeId = byName
                        ? new NodeId("Plant.Line1.Machine" + i + ".Temperature", 2)
                        : new NodeId((uint)(1000 + i), 2),
                    BrowseName = new QualifiedName("Tag", 2),
                    DisplayName = new LocalizedText("Tag"),
                    NodeClass = NodeClass.Variable,
                    TypeDefinition = new NodeId(63),
                }),
            },
        ],
    };

    public static DataValue Value(int number) =>
        new(new Variant(number + 0.5), StatusCodes.Good, Time, Time);

    public static T[] Make<T>(int count, Func<int, T> make) => [.. Enumerable.Range(0, count).Select(make)];

    public static byte[] Encode(IStructure structure)
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        structure.Encode(ref writer);
        writer.Complete();
        return buffer.WrittenSpan.ToArray();
    }
}
