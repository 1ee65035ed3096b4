using Gateway.Client.Requests;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Client.Subscriptions;

/// <summary>
/// A subscription at the server. Notifications reach the handler in the order of their sequence numbers: where one is
/// missing, the later ones are held while Republish brings it. It outlives its connection: a resumed session asks for
/// what is missing, and goes on. Threads: the receiving side belongs to the connection's thread, and to the next one's
/// after its end; the service calls may come from any.
///</summary>
public sealed class ClientSubscription
{
    private const uint MaxRecovered = 64;
    private const int MaxHeld = 1024;

    private volatile ClientSession _session;
    private readonly ISubscriptionHandler _handler;
    private uint _next = 1;
    private uint _recoverEnd;
    private List<byte[]>? _held;
    private long _repeated;
    private long _republished;

    // Of a resumption: whether the server knows the subscription, how many messages it may still bring.
    private TaskCompletionSource<bool>? _resuming;
    private uint _resumeLeft;
    private bool _isResumed;

    internal ClientSubscription(
        ClientSession session, ISubscriptionHandler handler, CreateSubscriptionResponse response)
    {
        _session = session;
        _handler = handler;
        Id = response.SubscriptionId;
        PublishingIntervalMs = response.RevisedPublishingInterval;
        LifetimeCount = response.RevisedLifetimeCount;
        MaxKeepAliveCount = response.RevisedMaxKeepAliveCount;
    }

    public uint Id { get; }

    public double PublishingIntervalMs { get; }

    public uint LifetimeCount { get; }

    public uint MaxKeepAliveCount { get; }

    /// <summary>How long it stays at the server without a Publish request. Source: Part 4 §5.14.1.1.</summary>
    public TimeSpan Lifetime => PeerDuration.Of(PublishingIntervalMs * LifetimeCount, 100);

    public ClientSession Session => _session;

    /// <summary>For the caller to find its own state from the handler.</summary>
    public object? Owner { get; set; }

    /// <summary>NotificationMessages that came twice and were dropped.</summary>
    public long Repeated => Volatile.Read(ref _repeated);

    /// <summary>NotificationMessages that were missing and that Republish brought.</summary>
    public long Republished => Volatile.Read(ref _republished);

    internal TimeSpan KeepAliveTime => PeerDuration.Of(PublishingIntervalMs * MaxKeepAliveCount, 100);

    /// <returns>One result for each item, in order.</returns>
    public async ValueTask<MonitoredItemCreateResult[]> CreateMonitoredItemsAsync(
        MonitoredItemCreateRequest[] items,
        TimestampsToReturn timestamps = TimestampsToReturn.Both,
        CancellationToken cancellation = default)
    {
        var request = new CreateMonitoredItemsRequest
        {
            SubscriptionId = Id,
            TimestampsToReturn = timestamps,
            ItemsToCreate = items,
        };
        var response = await _session
            .InvokeAsync<CreateMonitoredItemsRequest, CreateMonitoredItemsResponse>(request, cancellation)
            .ConfigureAwait(false);
        return ClientSession.Matching(response.Results, items.Length);
    }

    public async ValueTask<StatusCode[]> DeleteMonitoredItemsAsync(
        uint[] monitoredItemIds, CancellationToken cancellation = default)
    {
        var request = new DeleteMonitoredItemsRequest { SubscriptionId = Id, MonitoredItemIds = monitoredItemIds };
        var response = await _session
            .InvokeAsync<DeleteMonitoredItemsRequest, DeleteMonitoredItemsResponse>(request, cancellation)
            .ConfigureAwait(false);
        return ClientSession.Matching(response.Results, monitoredItemIds.Length);
    }

    /// <summary>Errors: <see cref="ServiceException"/>; the subscription may be there still.</summary>
    public async ValueTask DeleteAsync(CancellationToken cancellation = default)
    {
        var request = new DeleteSubscriptionsRequest { SubscriptionIds = [Id] };
        var session = _session;
        try
        {
            await session.InvokeAsync<DeleteSubscriptionsRequest, DeleteSubscriptionsResponse>(request, cancellation)
                .ConfigureAwait(false);
        }
        catch (ServiceException refused) when (
            refused.Status.CodeBits is StatusCodes.BadSubscriptionIdInvalid or StatusCodes.BadNothingToDo)
        {
            // The server has none of that number any more.
        }

        session.Pump.Remove(Id);
    }

    /// <summary>On another channel, before its first Publish: asks for the next message until the server has none.
    /// The bound is that of a gap: an honest server has at most one message for each Publish that was under way.
    /// Source: Part 4 §6.7.</summary>
    /// <returns>Whether the server knows the subscription.</returns>
    internal Task<bool> ResumeAsync()
    {
        (_isResumed, _resumeLeft) = (true, MaxRecovered);
        _resuming = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var resuming = _resuming.Task;
        if (_held is null)
            AskForNext();
        else
            Recover(_recoverEnd);
        return resuming;
    }

    internal void MoveTo(ClientSession session) => _session = session;

    /// <summary>True once after a resumption.</summary>
    internal bool TakeResumed()
    {
        var isResumed = _isResumed;
        _isResumed = false;
        return isResumed;
    }

    /// <summary>A number whose message came, or was given up.</summary>
    internal bool IsBehind(uint sequenceNumber) => (int)(sequenceNumber - _next) < 0;

    /// <summary>The connection ended during the resumption.</summary>
    internal void OnRepublishFailed(StatusCode status)
    {
        var resuming = Interlocked.Exchange(ref _resuming, null);
        resuming?.TrySetException(new ServiceException(status, "a Republish without an answer"));
    }

    internal void Receive(NotificationMessageReader message)
    {
        if (_held is not null)
        {
            Hold(message);
            return;
        }

        var ahead = (int)(message.SequenceNumber - _next);
        if (ahead < 0)
        {
            Interlocked.Increment(ref _repeated);
            NothingNew();
        }
        else if (ahead > 0)
        {
            NothingNew();
            _held = [];
            Hold(message);
            Recover(message.SequenceNumber);
        }
        else if (message.IsKeepAlive)
        {
            _handler.OnKeepAlive(this);
            NothingNew();
        }
        else
        {
            _next = After(_next);
            Dispatch(message);
        }
    }

    internal void OnRepublished(ReadOnlySpan<byte> response)
    {
        var reader = new UaBinaryReader(response, _session.Connection.Options.DecodingLimits);
        reader.ReadNodeId();
        var status = ResponseReader.PeekServiceResult(reader);
        ResponseReader.SkipHeader(ref reader);
        var message = NotificationMessageReader.Read(reader);
        if (_held is null)
        {
            OnResumed(status, message);
            return;
        }

        if (status.IsBad || message.Failed || message.SequenceNumber != _next)
        {
            _handler.OnLost(this, _next, 1);
        }
        else
        {
            Interlocked.Increment(ref _republished);
            _session.Pump.Acknowledge(Id, _next);
            Dispatch(message);
        }

        _next = After(_next);
        Recover(_recoverEnd);
    }

    internal void End(StatusCode status) => _handler.OnStatusChange(this, status);

    internal void NothingNew() => _handler.OnNothingNew(this);

    private void AskForNext()
    {
        if (_resumeLeft-- == 0)
            EndResumption(true);
        else
            Republish();
    }

    /// <summary>Any other answer than the next message ends it. The number of the next message that is published shows
    /// what is missing then.</summary>
    private void OnResumed(StatusCode status, NotificationMessageReader message)
    {
        if (status.IsBad || message.Failed || message.SequenceNumber != _next)
        {
            EndResumption(status.CodeBits is not StatusCodes.BadSubscriptionIdInvalid);
            return;
        }

        Interlocked.Increment(ref _republished);
        _session.Pump.Acknowledge(Id, _next);
        _next = After(_next);
        Dispatch(message);
        AskForNext();
    }

    private void EndResumption(bool isThere) => Interlocked.Exchange(ref _resuming, null)?.TrySetResult(isThere);

    private void Republish()
    {
        var connection = _session.Connection;
        var pending = new PendingRepublish(this, connection) { RequestId = connection.NextRequestId() };
        var request = new RepublishRequest { SubscriptionId = Id, RetransmitSequenceNumber = _next };
        connection.Start(pending, request, connection.Options.RequestTimeout);
    }

    private void Recover(uint end)
    {
        _recoverEnd = end;
        var missing = end - _next;
        if (missing > MaxRecovered)
        {
            _handler.OnLost(this, _next, missing);
            _next = end;
        }

        if (_next == end)
        {
            Release();
            if (_resuming is not null && _held is null)
                AskForNext();
            return;
        }

        Republish();
    }

    private void Hold(NotificationMessageReader message)
    {
        if (_held!.Count < MaxHeld)
            _held.Add(message.Whole.ToArray());
        else
            _session.Connection.Abort(StatusCodes.BadTcpNotEnoughResources, "a gap that Republish does not close");
    }

    private void Release()
    {
        var held = _held ?? [];
        _held = null;
        foreach (var message in held)
            Receive(NotificationMessageReader.Read(new UaBinaryReader(message)));
    }

    private void Dispatch(NotificationMessageReader message)
    {
        var data = message.Data;
        var (isEmpty, isWhole) = (true, true);
        for (var i = 0; i < message.Count && !data.Failed; i++)
        {
            var typeId = data.ReadNodeId();
            data.ReadByte();
            var body = new UaBinaryReader(data.ReadByteStringSpan(), _session.Connection.Options.DecodingLimits);
            if (data.Failed || typeId.NamespaceIndex != 0)
                continue;
            if (typeId.Numeric == DataChangeNotification.BinaryEncodingId)
            {
                var changes = new DataChangeReader(body, message.SequenceNumber, message.PublishTime);
                isEmpty &= changes.Count <= 0;
                _handler.OnDataChange(this, ref changes);
                isWhole &= !changes.Status.IsBad;
            }
            else if (typeId.Numeric == EventNotificationList.BinaryEncodingId)
            {
                var events = new EventListReader(body);
                isEmpty &= events.Count <= 0;
                _handler.OnEvents(this, ref events);
                isWhole &= !events.Status.IsBad;
            }
            else if (typeId.Numeric == StatusChangeNotification.BinaryEncodingId)
            {
                isEmpty = false;
                _session.Pump.Remove(Id);
                _handler.OnStatusChange(this, body.ReadStatusCode());
            }
        }

        // It is acknowledged: an unreadable message will not come again.
        if (!isWhole || data.Failed)
            _handler.OnLost(this, message.SequenceNumber, 1);
        else if (isEmpty)
            NothingNew();
    }

    private static uint After(uint sequenceNumber) => sequenceNumber == uint.MaxValue ? 1 : sequenceNumber + 1;
}
