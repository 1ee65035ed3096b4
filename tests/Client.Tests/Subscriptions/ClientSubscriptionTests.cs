using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Client.Tests.Subscriptions;

public sealed class ClientSubscriptionTests : IDisposable
{
    private readonly FakeServer _server = new();
    private readonly RecordingHandler _handler = new();

    public void Dispose() => _server.Dispose();

    [Fact]
    public async Task Create_Answered_TwoPublishesUnderWay()
    {
        await SubscribeAsync();
        Assert.Equal(3, _server.Link.Sent.Count);
        Assert.Null(_server.Request<PublishRequest>(1).SubscriptionAcknowledgements);
        // Two may be held for a keep-alive time each; only then is an answer late.
        Assert.Equal(30_000u, _server.Request<PublishRequest>(2).RequestHeader.TimeoutHint);
    }

    [Fact]
    public async Task Publish_Notified_HandedOnAcknowledgedAndAskedAgain()
    {
        await SubscribeAsync();
        Publish(1, 1, (7, 1.5), (8, 2.5));
        Publish(2, 2, (7, 3.5));
        Assert.Equal(["1: 7=1.5", "1: 8=2.5", "2: 7=3.5"], _handler.Events);
        Assert.Equal(5, _server.Link.Sent.Count);
        var acknowledged = _server.Request<PublishRequest>(3).SubscriptionAcknowledgements!;
        Assert.Equal((9u, 1u), (acknowledged[0].SubscriptionId, acknowledged[0].SequenceNumber));
        Assert.Equal(2u, _server.Request<PublishRequest>(4).SubscriptionAcknowledgements![0].SequenceNumber);
    }

    [Fact]
    public async Task Publish_KeepAlive_NumberNotConsumedNorAcknowledged()
    {
        await SubscribeAsync();
        Publish(1, 1);
        Publish(2, 1, (7, 1));
        Assert.Equal(["keep-alive", "1: 7=1"], _handler.Events);
        Assert.Null(_server.Request<PublishRequest>(3).SubscriptionAcknowledgements);
    }

    [Fact]
    public async Task Publish_Gap_LaterHeldUntilRepublishBringsTheMissing()
    {
        await SubscribeAsync();
        Publish(1, 3, (7, 3));
        Publish(2, 4, (7, 4));
        Assert.Empty(_handler.Events);
        Republished(4, 1, (7, 1));
        Republished(6, 2, (7, 2));
        Assert.Equal(["1: 7=1", "2: 7=2", "3: 7=3", "4: 7=4"], _handler.Events);
    }

    [Fact]
    public async Task Publish_KeepAliveAhead_MissingOnesRepublished()
    {
        await SubscribeAsync();
        Publish(1, 2);
        Republished(4, 1, (7, 1));
        Assert.Equal(["1: 7=1", "keep-alive"], _handler.Events);
    }

    [Fact]
    public async Task Republish_NotAvailable_ReportedLostAndRestDelivered()
    {
        await SubscribeAsync();
        Publish(1, 2, (7, 2));
        _server.Fault(4, StatusCodes.BadMessageNotAvailable);
        Assert.Equal(["lost 1+1", "2: 7=2"], _handler.Events);
    }

    [Fact]
    public async Task Publish_HugeGap_ReportedAtOnceWithoutRepublish()
    {
        await SubscribeAsync();
        Publish(1, 1000, (7, 2));
        Assert.Equal(["lost 1+999", "1000: 7=2"], _handler.Events);
    }

    [Fact]
    public async Task Publish_SameNumberTwice_SecondDroppedAndCounted()
    {
        var subscription = await SubscribeAsync();
        Publish(1, 1, (7, 1));
        Publish(2, 1, (7, 1));
        Assert.Equal(["1: 7=1"], _handler.Events);
        Assert.Equal(1, subscription.Repeated);
    }

    [Fact]
    public async Task Publish_AnswersThatBringNothing_AreToldOneByOne()
    {
        await SubscribeAsync();
        Publish(1, 1, (7, 1));
        Assert.Equal(0, _handler.NothingNew);
        Publish(2, 1, (7, 1));
        Assert.Equal(1, _handler.NothingNew);
        Publish(-1, 2);
        Assert.Equal(2, _handler.NothingNew);
        Publish(-1, 2, Changes());
        Assert.Equal(3, _handler.NothingNew);
        _server.Fault(-1, StatusCodes.BadTimeout);
        Assert.Equal(4, _handler.NothingNew);
        _server.Answer(-1, new PublishResponse { SubscriptionId = 77 });
        Assert.Equal(5, _handler.NothingNew);
        Publish(-1, 5, (7, 5));
        Assert.Equal(6, _handler.NothingNew);
    }

    [Fact]
    public async Task Publish_StatusChange_ToldAndNoFurtherPublish()
    {
        await SubscribeAsync();
        Publish(1, 1, new StatusChangeNotification { Status = StatusCodes.BadTimeout });
        Assert.Equal(["BadTimeout"], _handler.Events);
        var sent = _server.Link.Sent.Count;
        _server.Fault(2, StatusCodes.BadNoSubscription);
        Assert.Equal(sent, _server.Link.Sent.Count);
    }

    [Fact]
    public async Task Publish_NoSubscription_SubscriptionEnds()
    {
        await SubscribeAsync();
        _server.Fault(1, StatusCodes.BadNoSubscription);
        Assert.Equal(["BadNoSubscription"], _handler.Events);
        Assert.Equal(3, _server.Link.Sent.Count);
    }

    [Fact]
    public async Task Publish_TooManyPublishRequests_FewerFromThenOn()
    {
        await SubscribeAsync();
        _server.Fault(1, StatusCodes.BadTooManyPublishRequests);
        Assert.Equal(3, _server.Link.Sent.Count);
        Publish(2, 1, (7, 1));
        Assert.Equal(4, _server.Link.Sent.Count);
    }

    [Fact]
    public async Task Publish_Unanswered_SentAgainAfterItsHint()
    {
        await SubscribeAsync();
        _server.Time.Advance(TimeSpan.FromSeconds(30.3));
        Assert.Equal(5, _server.Link.Sent.Count);
        Assert.Equal(826u, _server.TypeOf(4));
    }

    [Fact]
    public async Task Publish_BodyCut_ConnectionGivenUp()
    {
        await SubscribeAsync();
        var whole = FakeServer.Encode(Message(1, Changes((7, 1))));
        _server.DeliverBytes(_server.Link.Sent[1].RequestId, whole[..40]);
        Assert.Equal(StatusCodes.BadDecodingError, _server.Link.AbortReason);
    }

    /// <summary>A structure of a later edition, or one that its server writes wrongly: the others stay.</summary>
    [Fact]
    public async Task Publish_BodyOfAKnownTypeThatCannotBeDecoded_PassedOnAndSoAreTheValuesBehindIt()
    {
        await SubscribeAsync();
        var body = new ExtensionObject(new NodeId(Argument.BinaryEncodingId), [1, 2, 3, 4]);
        Publish(1, 1, ChangesOf(new Variant(body), new Variant(2.5)));
        Assert.Equal([$"1: 7={new Variant(body)}", "1: 8=2.5"], _handler.Events);
    }

    [Fact]
    public async Task Publish_ValueThatCannotBeRead_RestIsToldAsLost()
    {
        await SubscribeAsync();
        var bytes = FakeServer.Encode(Message(1, ChangesOf(new Variant(1.5), new Variant("?"), new Variant(2.5))));
        bytes[bytes.AsSpan().LastIndexOf((byte)'?')] = 0xFF;
        _server.DeliverBytes(_server.Link.Sent[1].RequestId, bytes);
        Assert.Equal(["1: 7=1.5", "lost 1+1"], _handler.Events);
    }

    [Fact]
    public async Task Connection_Closed_SubscriptionEndsWithTheReason()
    {
        await SubscribeAsync();
        _server.Disconnect(StatusCodes.BadConnectionClosed);
        Assert.Equal(["BadConnectionClosed"], _handler.Events);
    }

    private async Task<ClientSubscription> SubscribeAsync()
    {
        var creating = _server.Session.CreateSubscriptionAsync(new SubscriptionSettings(), _handler);
        _server.Answer(0, new CreateSubscriptionResponse
        {
            SubscriptionId = 9,
            RevisedPublishingInterval = 1000,
            RevisedLifetimeCount = 60,
            RevisedMaxKeepAliveCount = 10,
        });
        return await creating;
    }

    private void Publish(int index, uint sequenceNumber, params (uint Handle, double Value)[] changes) =>
        _server.Answer(index, Message(sequenceNumber, changes.Length == 0 ? null : Changes(changes)));

    private void Publish(int index, uint sequenceNumber, IStructure notification) =>
        _server.Answer(index, Message(sequenceNumber, notification));

    private void Republished(int index, uint sequenceNumber, params (uint Handle, double Value)[] changes)
    {
        Assert.Equal(sequenceNumber, _server.Request<RepublishRequest>(index).RetransmitSequenceNumber);
        _server.Answer(index, new RepublishResponse
        {
            NotificationMessage = Message(sequenceNumber, Changes(changes)).NotificationMessage,
        });
    }

    private static PublishResponse Message(uint sequenceNumber, IStructure? notification) => new()
    {
        SubscriptionId = 9,
        AvailableSequenceNumbers = [sequenceNumber],
        NotificationMessage = new NotificationMessage
        {
            SequenceNumber = sequenceNumber,
            NotificationData = notification is null ? null : [new ExtensionObject(notification)],
        },
    };

    private static DataChangeNotification Changes(params (uint Handle, double Value)[] changes) => new()
    {
        MonitoredItems = Array.ConvertAll(changes, change => new MonitoredItemNotification
        {
            ClientHandle = change.Handle,
            Value = new DataValue(new Variant(change.Value)),
        }),
    };

    /// <summary>Of the handles 7, 8, 9 and so on.</summary>
    private static DataChangeNotification ChangesOf(params Variant[] values) => new()
    {
        MonitoredItems = [.. values.Select((value, i) => new MonitoredItemNotification
        {
            ClientHandle = 7 + (uint)i,
            Value = new DataValue(value),
        })],
    };
}
