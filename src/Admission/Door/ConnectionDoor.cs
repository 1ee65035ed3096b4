using Gateway.Admission.Clients;
using Gateway.Admission.Lanes;
using Gateway.Admission.Rates;
using Gateway.Admission.Stages;

namespace Gateway.Admission.Door;

/// <summary>
/// The connection stage: caps and rates refuse; where no handshake's place is free the connection waits, fairly by
/// address, known addresses first, until one is or its patience ends. <see cref="Pump"/> moves the waiting connections;
/// call it every few milliseconds. Threads: any; entries are called outside the locks.
/// </summary>
public sealed class ConnectionDoor(AdmissionControl control)
{
    private readonly TokenBucket _bucket =
        new TokenRate(control.Time, control.Limits.MaxConnectionsPerSecond, TokenRate.Burst).NewBucket();

    private readonly FairQueue<DoorEntry> _waiting = new(
        control.Limits.MaxWaitingConnections, control.Limits.DoorPatience, control.Time);

    private readonly HopelessEntries _hopeless = new(control.Time, control.Limits.DoorPatience);

    private volatile bool _isClosed;

    public int Waiting => _waiting.Count;

    /// <summary>The waiting connections that can still be served before their patience ends: the others will be told to
    /// come back, and then count there. Half of them: some say nothing or hang up, and that somebody comes too early
    /// costs less than an idle key.</summary>
    internal int Ahead =>
        (int)Math.Min(_waiting.Count, control.Rate.Sustained * _waiting.LongestLeft.TotalSeconds) / 2;

    /// <summary>Lets it in, makes it wait or refuses it.</summary>
    public void Arrive(DoorEntry entry)
    {
        var address = control.Clients.HoldAddress(entry.Address);
        entry.Account = address;
        address.Attempted();
        control.Retry.Returned(address);
        if (_isClosed)
        {
            control.Clients.ReleaseAddress(address);
            entry.Refuse(Shed(address, RefusalReason.ShuttingDown, TimeSpan.Zero));
            return;
        }

        if (!address.TryConnect(control.Limits.MaxConnectionsPerAddress))
        {
            control.Clients.ReleaseAddress(address);
            entry.Refuse(Shed(address, RefusalReason.MaxConnectionsPerAddress, TimeSpan.Zero));
            return;
        }

        if (!control.IsEnabled)
        {
            LetIn(entry);
            return;
        }

        if (!address.Bucket!.TryTake(out var retryAfter))
            Refuse(entry, RefusalReason.ConnectionRatePerAddress, retryAfter);
        else if (!_bucket.TryTake(out retryAfter))
            Refuse(entry, RefusalReason.ConnectionRate, retryAfter);
        else if (_waiting.Count == 0 && control.Window.HasRoom)
            LetIn(entry);
        else
            Wait(entry);
    }

    /// <summary>Its peer hung up. False: it does not wait any more.</summary>
    public bool Leave(DoorEntry entry)
    {
        if (!_waiting.Remove(entry))
            return false;
        Release(entry);
        control.Stages.Shed(AdmissionStage.Connection, RefusalReason.GaveUp);
        return true;
    }

    /// <summary>At shutdown: nothing is admitted from here on, and waiting connections get an error.</summary>
    public void Close()
    {
        _isClosed = true;
        while ((_waiting.TakeExpired() ?? _waiting.TryDequeue()) is { } entry)
            Refuse(entry, RefusalReason.ShuttingDown);
    }

    public void Pump()
    {
        // All that expired leave first: a hint for a later connection must not count them as waiting before it.
        List<DoorEntry>? expired = null;
        while (_waiting.TakeExpired() is { } entry)
            (expired ??= []).Add(entry);
        while (_hopeless.TakeDue() is { } hopeless)
        {
            if (_waiting.Remove(hopeless, isRefused: true))
                (expired ??= []).Add(hopeless);
        }

        if (expired is not null)
        {
            foreach (var entry in expired)
                Refuse(entry, RefusalReason.WaitedTooLong);
        }

        while (_waiting.Count > 0 && control.Window.HasRoom && _waiting.TryDequeue() is { } next)
        {
            control.Waited(AdmissionStage.Connection, next.EnqueuedAt);
            LetIn(next);
        }
    }

    private void Wait(DoorEntry entry)
    {
        var address = entry.Account!;
        var lane = address.VerifiedCertificates > 0 && control.IsCredible(address)
            ? LaneClass.Known
            : LaneClass.Stranger;
        if (!_waiting.TryEnqueue(entry, lane, null, address.DoorShare, out var displaced))
        {
            Refuse(entry, RefusalReason.QueueFull);
            return;
        }

        control.Stages.Queue(AdmissionStage.Connection);
        if (IsHopeless(entry))
            _hopeless.Add(entry);
        if (displaced is not null)
            Refuse(displaced, RefusalReason.Displaced);
        if (_isClosed)
            Close();
    }

    /// <summary>More are ahead of it than its patience has time for.</summary>
    private bool IsHopeless(DoorEntry entry)
    {
        var ahead = entry.Lane == LaneClass.Known ? _waiting.WaitingIn(LaneClass.Known) : _waiting.Count;
        return ahead > control.Rate.Sustained * control.Limits.DoorPatience.TotalSeconds;
    }

    private void LetIn(DoorEntry entry)
    {
        var pass = new ClientPass(control, entry.Account!);
        control.Window.Take(pass);
        control.Stages.Admit(AdmissionStage.Connection);
        entry.LetIn(pass);
    }

    private void Refuse(DoorEntry entry, RefusalReason reason, TimeSpan retryAfter = default)
    {
        var decision = Shed(entry.Account!, reason, retryAfter);
        Release(entry);
        entry.Refuse(decision);
    }

    private void Release(DoorEntry entry)
    {
        entry.Account!.Disconnect();
        control.Clients.ReleaseAddress(entry.Account);
    }

    private Decision Shed(ClientAccount address, RefusalReason reason, TimeSpan retryAfter) =>
        control.Refuse(AdmissionStage.Connection, reason, address, null, null, retryAfter);
}
