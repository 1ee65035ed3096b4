using Gateway.Client.Requests;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Client.Subscriptions;

/// <summary>
/// A subscription at the server. Notifications reach the handler in the order of their sequence numbers: where one is
/// missing, the later ones are held while Republish brings it. Threads: the receiving side belongs to the connection's
/// thread; the service calls may come from any.
///</summary>
public sealed class ClientSubscription
{
    private const uint MaxRecovered = 64;
    private const int MaxHeld = 1024;

    private readonly ClientSession _session;
    private readonly ISubscriptionHandler _handler;
    private uint _next = 1;
    private uint _recoverEnd;
    private List<byte[]>? _held;
    private long _repeated;
    private long _republished;

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

    public ClientSession Session => _session;

    /// <summary>For the caller to find its own state from the handler.</summary>
    public object? Owner { get; set; }

    /// <summary>NotificationMessages that came twice and were dropped.</summary>
    public long Repeated => Volatile.Read(ref _repeated);

    /// <summary>NotificationMessages that were missing and that Republish brought.</summary>
    public long Republished => Volatile.Read(ref _republished);

    internal TimeSpan KeepAliveTime =>
        TimeSpan.FromMilliseconds(Math.Clamp(PublishingIntervalMs * MaxKeepAliveCount, 100, 86_400_000));

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

    public async ValueTask DeleteAsync(CancellationToken cancellation = default)
    {
        var request = new DeleteSubscriptionsRequest { SubscriptionIds = [Id] };
        await _session.InvokeAsync<DeleteSubscriptionsRequest, DeleteSubscriptionsResponse>(request, cancellation)
            .ConfigureAwait(false);
        _session.Pump.Remove(Id);
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
            return;
        }

        var connection = _session.Connection;
        var pending = new PendingRepublish(this, connection) { RequestId = connection.NextRequestId() };
        var request = new RepublishRequest { SubscriptionId = Id, RetransmitSequenceNumber = _next };
        connection.Start(pending, request, connection.Options.RequestTimeout);
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
