using Gateway.Client.Requests;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Client.Subscriptions;

/// <summary>Keeps a session's Publish requests under way: a few a subscription, each with the acknowledgements
/// gathered since the last, the next one sent before an answer is delivered. Threads: answers on the connection's
/// thread; the lock guards counts and acknowledgements and is never held while a handler runs. Source: Part 4 §5.14.5.
///</summary>
internal sealed class PublishPump(ClientConnection connection)
{
    private const int RequestsPerSubscription = 2;
    private const int MaxRequests = 20;

    /// <summary>More than any server keeps for Republish; a list of numbers has no other bound than the message.
    /// </summary>
    private const int MaxAcknowledgedAgain = 256;

    private readonly Lock _lock = new();
    private readonly Dictionary<uint, ClientSubscription> _subscriptions = new(1);
    private readonly List<SubscriptionAcknowledgement> _acknowledgements = new(1);

    /// <summary>Without Publish requests: left by the end of the connection, or by that of a session before.</summary>
    private readonly List<ClientSubscription> _suspended = [];
    private readonly Stack<PendingPublish> _free = new(RequestsPerSubscription);
    private int _underWay;
    private int _serverCap = MaxRequests;
    private TimeSpan _longestKeepAlive;
    private bool _isOver;

    public int Count
    {
        get
        {
            lock (_lock)
                return _subscriptions.Count;
        }
    }

    /// <summary>False: the server has given its id before. That one keeps its messages.</summary>
    public bool TryAdd(ClientSubscription subscription)
    {
        lock (_lock)
        {
            if (FindUnderLock(subscription.Id) is not null)
                return false;
            // The answer was being handled when the connection ended.
            if (_isOver)
                _suspended.Add(subscription);
            else
                AddUnderLock(subscription);
        }

        Fill();
        return true;
    }

    public void Remove(uint subscriptionId)
    {
        lock (_lock)
        {
            _subscriptions.Remove(subscriptionId);
            _suspended.RemoveAll(one => one.Id == subscriptionId);
        }
    }

    /// <summary>Those of a lost session. They wait for <see cref="Resume"/>.</summary>
    /// <param name="session">This pump's.</param>
    /// <param name="lost">From now on it makes their requests, also the one that deletes them.</param>
    public void Adopt(ClientSession session, IReadOnlyList<ClientSubscription> lost)
    {
        foreach (var subscription in lost)
            subscription.MoveTo(session);
        lock (_lock)
            _suspended.AddRange(lost);
    }

    /// <summary>Null: there is none with that id.</summary>
    public ClientSubscription? Find(uint subscriptionId)
    {
        lock (_lock)
            return FindUnderLock(subscriptionId);
    }

    /// <summary>Those that the end of the connection left, and those that wait still.</summary>
    public ClientSubscription[] Left()
    {
        lock (_lock)
            return [.. _suspended];
    }

    /// <summary>All at once: a Publish of one may bring a message of another.</summary>
    /// <param name="waited">Subscriptions that waited.</param>
    /// <param name="areThere">The server knows it; of each.</param>
    public void Resume(ClientSubscription[] waited, bool[] areThere)
    {
        lock (_lock)
        {
            for (var i = 0; i < waited.Length; i++)
            {
                // Where the connection has ended, it goes on waiting.
                if ((!_isOver || !areThere[i]) && _suspended.Remove(waited[i]) && areThere[i])
                    AddUnderLock(waited[i]);
            }
        }

        Fill();
    }

    public void Acknowledge(uint subscriptionId, uint sequenceNumber)
    {
        lock (_lock)
        {
            _acknowledgements.Add(new SubscriptionAcknowledgement
            {
                SubscriptionId = subscriptionId,
                SequenceNumber = sequenceNumber,
            });
        }
    }

    /// <summary>Sends Publish requests until as many are under way as should be.</summary>
    public void Fill()
    {
        while (TryTake(out var pending, out var timeout))
        {
            var message = RequestWriter.RentMessage();
            var writer = new UaBinaryWriter(message);
            pending.RequestId = connection.NextRequestId();
            writer.WriteTypeId(PublishRequest.BinaryEncodingId);
            connection.Stamp(pending.RequestId, timeout).Apply(default).Encode(ref writer);
            lock (_lock)
                WriteAcknowledgementsUnderLock(ref writer);
            writer.Complete();
            connection.SendMessage(pending, message, timeout);
        }
    }

    /// <summary>The session is being closed: answers to the requests under way mean nothing.</summary>
    public void Stop() => TakeAll();

    public void OnConnectionClosed(StatusCode reason)
    {
        ClientSubscription[] left;
        lock (_lock)
        {
            _isOver = true;
            left = [.. _subscriptions.Values];
            _suspended.AddRange(left);
            _subscriptions.Clear();
        }

        foreach (var subscription in left)
            subscription.End(reason);
    }

    internal void OnAnswer(PendingPublish pending, ReadOnlySpan<byte> message)
    {
        var reader = new UaBinaryReader(message, connection.Options.DecodingLimits);
        var typeId = reader.ReadNodeId();
        var status = ResponseReader.PeekServiceResult(reader);
        GiveBack(pending);
        if (status.IsBad || reader.Failed || typeId != new NodeId(PublishResponse.BinaryEncodingId))
            OnFault(status);
        else
            OnNotification(ref reader);
    }

    internal void OnFailed(PendingPublish pending, StatusCode status)
    {
        GiveBack(pending);
        if (status == StatusCodes.BadTimeout)
            Fill();
    }

    private void OnNotification(ref UaBinaryReader reader)
    {
        ResponseReader.SkipHeader(ref reader);
        var id = reader.ReadUInt32();
        ClientSubscription? subscription;
        bool isWaiting;
        lock (_lock)
        {
            _subscriptions.TryGetValue(id, out subscription);
            isWaiting = subscription is null && FindUnderLock(id) is not null;
        }

        ReadAvailable(ref reader, subscription);
        reader.ReadBoolean();
        var notification = NotificationMessageReader.Read(reader);
        if (notification.Failed)
        {
            connection.Abort(StatusCodes.BadDecodingError, "a notification that cannot be read");
            return;
        }

        // One that waits for its resumption asks for the message again.
        if (!notification.IsKeepAlive && !isWaiting)
            Acknowledge(id, notification.SequenceNumber);
        Fill();
        if (subscription is not null)
            subscription.Receive(notification);
        else
            TellNothingNew();
    }

    /// <summary>AvailableSequenceNumbers. Acknowledgements were lost with a connection: what the server still keeps of
    /// before is acknowledged again, once.</summary>
    private void ReadAvailable(ref UaBinaryReader reader, ClientSubscription? subscription)
    {
        var left = Math.Max(0, reader.ReadArrayLength(sizeof(uint)));
        if (subscription is not null && subscription.TakeResumed())
        {
            for (var i = 0; i < MaxAcknowledgedAgain && left > 0 && !reader.Failed; i++, left--)
            {
                var number = reader.ReadUInt32();
                if (subscription.IsBehind(number))
                    Acknowledge(subscription.Id, number);
            }
        }

        reader.Skip(left * sizeof(uint));
    }

    /// <summary>Of an answer that is no subscription's.</summary>
    private void TellNothingNew()
    {
        ClientSubscription? any;
        lock (_lock)
            any = _subscriptions.Values.FirstOrDefault();
        any?.NothingNew();
    }

    private void OnFault(StatusCode status)
    {
        switch (status.CodeBits)
        {
            case StatusCodes.BadTooManyPublishRequests:
                lock (_lock)
                    _serverCap = Math.Max(1, Math.Min(_serverCap, _underWay));
                break;
            case StatusCodes.BadNoSubscription:
                foreach (var subscription in TakeAll())
                    subscription.End(StatusCodes.BadNoSubscription);
                break;
            case StatusCodes.BadTimeout:
                Fill();
                TellNothingNew();
                break;
            case StatusCodes.BadSessionIdInvalid or StatusCodes.BadSessionClosed or StatusCodes.BadSessionNotActivated
                when Count > 0:
                connection.Abort(StatusCodes.BadSessionClosed, "the server no longer knows the session");
                break;
        }

        // Anything else (a busy server) is asked again at the next look at the connection, not at once.
    }

    private ClientSubscription? FindUnderLock(uint subscriptionId) =>
        _subscriptions.GetValueOrDefault(subscriptionId) ?? _suspended.Find(one => one.Id == subscriptionId);

    private void AddUnderLock(ClientSubscription subscription)
    {
        _subscriptions.Add(subscription.Id, subscription);
        if (subscription.KeepAliveTime > _longestKeepAlive)
            _longestKeepAlive = subscription.KeepAliveTime;
    }

    private ClientSubscription[] TakeAll()
    {
        lock (_lock)
        {
            ClientSubscription[] all = [.. _subscriptions.Values];
            _subscriptions.Clear();
            return all;
        }
    }

    private bool TryTake(out PendingPublish pending, out TimeSpan timeout)
    {
        lock (_lock)
        {
            var wanted = Math.Min(_serverCap, _subscriptions.Count * RequestsPerSubscription);
            timeout = (_longestKeepAlive * wanted) + connection.Options.RequestTimeout;
            pending = null!;
            if (_underWay >= wanted || !connection.IsOpen)
                return false;
            _underWay++;
            if (!_free.TryPop(out pending!))
                pending = new PendingPublish(this);
            return true;
        }
    }

    private void GiveBack(PendingPublish pending)
    {
        lock (_lock)
        {
            _underWay--;
            _free.Push(pending);
        }
    }

    private void WriteAcknowledgementsUnderLock(ref UaBinaryWriter writer)
    {
        if (_acknowledgements.Count == 0)
        {
            writer.WriteInt32(-1);
            return;
        }

        writer.WriteInt32(_acknowledgements.Count);
        foreach (var acknowledgement in _acknowledgements)
            acknowledgement.Encode(ref writer);
        _acknowledgements.Clear();
    }
}
