using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Publish.Tests.Support;

/// <summary>A session without a network: decodes what the engine sends, and keeps it in order.</summary>
internal sealed class TestClient : INotificationOutput, IItemAccess
{
    private readonly Lock _lock = new();
    private readonly Queue<Answer> _answers = new();
    private uint _lastRequest;

    public uint LastRequest => _lastRequest;

    public PublishSession Session { get; set; } = null!;

    public int MaxResponseSizeBytes { get; set; }

    public bool IsOpen { get; set; } = true;

    public int Flushes { get; private set; }

    public int Sends { get; private set; }

    public int LargestMessage { get; private set; }

    public int Pending
    {
        get
        {
            lock (_lock)
                return _answers.Count;
        }
    }

    /// <summary>What the access check says of every item.</summary>
    public StatusCode Access { get; set; }

    /// <summary>Runs with each send.</summary>
    public Action? Sending { get; set; }

    /// <summary>Thrown by the next send.</summary>
    public Exception? SendFault { get; set; }

    public StatusCode Send(PooledBuffer message, uint requestId)
    {
        if (SendFault is { } error)
        {
            SendFault = null;
            throw error;
        }

        Sending?.Invoke();
        var reader = new UaBinaryReader(message.WrittenSpan);
        var type = reader.ReadNodeId().Numeric;
        var response = type == 829 ? PublishResponse.Decode(ref reader) : null;
        var fault = type == 397 ? ServiceFault.Decode(ref reader).ResponseHeader.ServiceResult : default;
        Assert.False(reader.Failed);
        Assert.Equal(0, reader.Remaining);
        Assert.True(type is 829 or 397);
        lock (_lock)
        {
            Sends++;
            LargestMessage = Math.Max(LargestMessage, message.Length);
            _answers.Enqueue(new Answer(requestId, response, fault));
        }

        return StatusCode.Good;
    }

    public void Flush()
    {
        lock (_lock)
            Flushes++;
    }

    /// <summary>Nodes that this client's user may not read.</summary>
    public HashSet<NodeHandle> Denied { get; } = [];

    /// <summary>Nodes that this client's user may have no events of.</summary>
    public HashSet<NodeHandle> NoEvents { get; } = [];

    /// <summary>This client's user may have audit events.</summary>
    public bool SeesAudit { get; set; }

    public StatusCode CheckEvents(NodeHandle node) =>
        NoEvents.Contains(node) ? StatusCodes.BadUserAccessDenied : StatusCode.Good;

    /// <summary>Nodes that are not there for this client's user.</summary>
    public HashSet<NodeHandle> Hidden { get; } = [];

    /// <summary>Runs once, behind the next access check.</summary>
    public Action? Checked { get; set; }

    public StatusCode CheckMonitor(NodeHandle node, AttributeId attribute)
    {
        var after = Checked;
        Checked = null;
        after?.Invoke();
        return Denied.Contains(node) ? StatusCodes.BadUserAccessDenied : Access;
    }

    public bool IsVisible(NodeHandle node) => !Hidden.Contains(node);

    /// <summary>How this client's user sees them.</summary>
    public Dictionary<AttributeId, Variant> UserAttributes { get; } = [];

    public bool TryReadUserAttribute(NodeHandle node, AttributeId attribute, out Variant value) =>
        UserAttributes.TryGetValue(attribute, out value);

    public Answer Next()
    {
        lock (_lock)
            return _answers.Dequeue();
    }

    public List<Answer> All()
    {
        lock (_lock)
        {
            var all = _answers.ToList();
            _answers.Clear();
            return all;
        }
    }

    public uint Publish(params (uint Subscription, uint Sequence)[] acknowledgements)
    {
        Assert.Equal(StatusCode.Good, TryPublish(0, acknowledgements));
        return _lastRequest;
    }

    public StatusCode TryPublish(uint timeoutHint, params (uint Subscription, uint Sequence)[] acknowledgements)
    {
        var id = Interlocked.Increment(ref _lastRequest);
        return Session.Publish(
            id,
            new RequestHeader { RequestHandle = id, TimeoutHint = timeoutHint },
            Array.ConvertAll(acknowledgements, one => new SubscriptionAcknowledgement
            {
                SubscriptionId = one.Subscription,
                SequenceNumber = one.Sequence,
            }));
    }

    public RepublishResponse Republish(uint subscription, uint sequenceNumber) =>
        Republish(Session, subscription, sequenceNumber);

    /// <summary>As the service answers.</summary>
    public static RepublishResponse Republish(PublishSession session, uint subscription, uint sequenceNumber)
    {
        var status = session.Republish(subscription, sequenceNumber, out var message);
        var reader = new UaBinaryReader(message);
        return status.IsBad
            ? new RepublishResponse { ResponseHeader = new ResponseHeader { ServiceResult = status } }
            : new RepublishResponse { NotificationMessage = NotificationMessage.Decode(ref reader) };
    }

    public uint Subscribe(
        double intervalMs = 100,
        uint keepAlive = 3,
        uint lifetime = 30,
        bool enabled = true,
        byte priority = 0,
        uint maxNotifications = 0)
    {
        var response = Session.CreateSubscription(new CreateSubscriptionRequest
        {
            RequestedPublishingInterval = intervalMs,
            RequestedMaxKeepAliveCount = keepAlive,
            RequestedLifetimeCount = lifetime,
            PublishingEnabled = enabled,
            Priority = priority,
            MaxNotificationsPerPublish = maxNotifications,
        });
        Assert.Equal(StatusCode.Good, response.ResponseHeader.ServiceResult);
        Assert.Equal(intervalMs, response.RevisedPublishingInterval);
        return response.SubscriptionId;
    }

    public MonitoredItemCreateResult TryMonitor(uint subscription, MonitoredItemCreateRequest item)
    {
        var response = Session.CreateMonitoredItems(new CreateMonitoredItemsRequest
        {
            SubscriptionId = subscription,
            TimestampsToReturn = TimestampsToReturn.Both,
            ItemsToCreate = [item],
        });
        Assert.Equal(StatusCode.Good, response.ResponseHeader.ServiceResult);
        return Assert.Single(response.Results!);
    }

    /// <summary>The client handle is the node's number.</summary>
    public uint Monitor(
        uint subscription,
        uint node,
        uint queueSize = 1,
        bool discardOldest = true,
        double samplingMs = 0,
        MonitoringMode mode = MonitoringMode.Reporting,
        MonitoringFilter? filter = null,
        string? range = null)
    {
        var result = TryMonitor(
            subscription, Item(node, queueSize, discardOldest, samplingMs, mode, filter, range));
        Assert.Equal(StatusCode.Good, result.StatusCode);
        return result.MonitoredItemId;
    }

    public static MonitoredItemCreateRequest Item(
        uint node,
        uint queueSize = 1,
        bool discardOldest = true,
        double samplingMs = 0,
        MonitoringMode mode = MonitoringMode.Reporting,
        MonitoringFilter? filter = null,
        string? range = null,
        AttributeId attribute = AttributeId.Value) => new()
        {
            ItemToMonitor = new ReadValueId
            {
                NodeId = new NodeId(node, 1),
                AttributeId = (uint)attribute,
                IndexRange = range,
            },
            MonitoringMode = mode,
            RequestedParameters = new MonitoringParameters
            {
                ClientHandle = node,
                SamplingInterval = samplingMs,
                QueueSize = queueSize,
                DiscardOldest = discardOldest,
                Filter = filter is null ? default : new ExtensionObject(filter),
            },
        };

    public StatusCode Delete(uint subscription) => Session
        .DeleteSubscriptions(new DeleteSubscriptionsRequest { SubscriptionIds = [subscription] }).Results![0];

    public TransferResult Transfer(uint subscription, bool sendInitialValues = false) => Assert.Single(Session
        .TransferSubscriptions(new TransferSubscriptionsRequest
        {
            SubscriptionIds = [subscription],
            SendInitialValues = sendInitialValues,
        }).Results!);

    public StatusCode DeleteItem(uint subscription, uint item) => Session
        .DeleteMonitoredItems(new DeleteMonitoredItemsRequest
        {
            SubscriptionId = subscription,
            MonitoredItemIds = [item],
        }).Results![0];

    public StatusCode SetPublishing(uint subscription, bool enabled) => Session
        .SetPublishingMode(new SetPublishingModeRequest
        {
            SubscriptionIds = [subscription],
            PublishingEnabled = enabled,
        }).Results![0];
}
