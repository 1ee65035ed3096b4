using Gateway.Admission.Clients;
using Gateway.Admission.Lanes;
using Gateway.Admission.Stages;

namespace Gateway.Admission.Door;

/// <summary>
/// The connection stage: caps and rates refuse; where no handshake's place is free the connection waits, fairly by
/// address, known addresses first, until one is or its patience ends. <see cref="Pump"/> moves those who wait; call it
/// whenever something ended and every few milliseconds. Threads: any; entries are called outside the locks.
/// </summary>
public sealed class ConnectionDoor(AdmissionControl control)
{
    private readonly FairQueue<DoorEntry> _waiting = new(
        control.Limits.MaxWaitingConnections, control.Limits.DoorPatience, control.Time, QueueOrder.FirstInFirstOut);

    private volatile bool _isClosed;

    public int Waiting => _waiting.Count;

    /// <summary>Lets it in, makes it wait or refuses it.</summary>
    public void Arrive(DoorEntry entry)
    {
        control.Retry.Arrived();
        var address = control.Clients.Address(entry.Address);
        address.Attempted();
        if (_isClosed)
        {
            entry.Refuse(Shed(entry, address, RefusalReason.ShuttingDown));
            return;
        }

        if (!address.TryConnect(control.Limits.MaxConnectionsPerAddress))
        {
            entry.Refuse(Shed(entry, address, RefusalReason.MaxConnectionsPerAddress));
            return;
        }

        if (!control.IsEnabled || (_waiting.Count == 0 && control.Window.HasRoom))
        {
            LetIn(entry, address);
            return;
        }

        var lane = address.VerifiedCertificates > 0 ? LaneClass.Known : LaneClass.Stranger;
        if (!_waiting.TryEnqueue(entry, lane, address.DoorShare, null, out var displaced))
        {
            address.Disconnect();
            entry.Refuse(Shed(entry, address, RefusalReason.QueueFull));
            return;
        }

        control.Stages.Queue(AdmissionStage.Connection);
        if (displaced is not null)
            Refuse(displaced, RefusalReason.Displaced);
        Pump();
    }

    /// <summary>Its peer hung up. False: it does not wait any more.</summary>
    public bool Leave(DoorEntry entry)
    {
        if (!_waiting.Remove(entry))
            return false;
        var address = control.Clients.Address(entry.Address);
        address.Disconnect();
        control.Stages.Shed(AdmissionStage.Connection, RefusalReason.GaveUp);
        return true;
    }

    /// <summary>At shutdown: nobody is let in from here on, and those who wait are told.</summary>
    public void Close()
    {
        _isClosed = true;
        while ((_waiting.TakeExpired() ?? _waiting.TryDequeue()) is { } entry)
            Refuse(entry, RefusalReason.ShuttingDown);
    }

    public void Pump()
    {
        while (_waiting.TakeExpired() is { } expired)
            Refuse(expired, RefusalReason.WaitedTooLong);
        while (_waiting.Count > 0 && control.Window.HasRoom && _waiting.TryDequeue() is { } next)
            LetIn(next, control.Clients.Address(next.Address));
    }

    private void LetIn(DoorEntry entry, ClientAccount address)
    {
        control.Stages.Admit(AdmissionStage.Connection);
        entry.LetIn(new ClientPass(control, address));
    }

    private void Refuse(DoorEntry entry, RefusalReason reason)
    {
        var address = control.Clients.Address(entry.Address);
        address.Disconnect();
        entry.Refuse(Shed(entry, address, reason));
    }

    private Decision Shed(DoorEntry entry, ClientAccount address, RefusalReason reason)
    {
        address.Refused();
        return control.Refuse(AdmissionStage.Connection, reason, entry.Address.ToString(), null, null);
    }
}
