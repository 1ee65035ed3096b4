using System.Runtime.InteropServices;
using Gateway.Admission.Stages;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Sockets;

/// <summary>
/// How refused connections end. One that was refused as it came is held a moment first, so that a client that comes
/// back at once is slowed; one whose HEL has not come yet stays a moment after its ERR, because a HEL that meets a
/// closed socket resets the connection and the ERR with it. Both queues are bounded; over the bound it goes without the
/// moment. On the door's thread alone.
/// </summary>
internal sealed unsafe class Farewells(DoorLoop loop, TransportContext context)
{
    /// <summary>More than any HEL.</summary>
    private const int DrainBytes = 64 * 1024;

    private readonly Queue<(DoorConnection Connection, Decision Decision, long Since)> _held = new();
    private readonly Queue<(DoorConnection Connection, long Since)> _lingering = new();

    public int Count => _held.Count + _lingering.Count;

    private int Limit => Math.Min(context.Limits.MaxHeldRefusals, context.Descriptors.Capacity / 8);

    public void Hold(DoorConnection connection, in Decision decision)
    {
        if (_held.Count >= Limit)
            Tell(connection, decision);
        else
            _held.Enqueue((connection, decision, context.Time.GetTimestamp()));
    }

    /// <summary>ERR now; closed now where its HEL has come, else when it comes or the linger time is over.</summary>
    public void Tell(DoorConnection connection, in Decision decision)
    {
        if (!TrySay(connection, decision) || _lingering.Count >= Limit)
        {
            loop.Close(connection);
            return;
        }

        _ = Libc.Shutdown(connection.Descriptor, Libc.ShutWrite);
        if (loop.TryLinger(connection))
            _lingering.Enqueue((connection, context.Time.GetTimestamp()));
        else
            loop.Close(connection);
    }

    public void TellAndClose(DoorConnection connection, in Decision decision)
    {
        TrySay(connection, decision);
        loop.Close(connection);
    }

    /// <summary>A lingering one has spoken or gone.</summary>
    public void End(DoorConnection connection)
    {
        Drain(connection);
        loop.Close(connection);
    }

    public void Sweep()
    {
        while (_held.TryPeek(out var held) && IsOver(held.Since, context.Limits.RefusalHoldTime))
        {
            _held.Dequeue();
            Tell(held.Connection, held.Decision);
        }

        while (_lingering.TryPeek(out var last) &&
            (last.Connection.Descriptor < 0 || IsOver(last.Since, context.Limits.LingerTime)))
        {
            _lingering.Dequeue();
            if (last.Connection.Descriptor >= 0)
                End(last.Connection);
        }
    }

    /// <summary>The listener is gone.</summary>
    public void EndAll()
    {
        while (_held.TryDequeue(out var held))
            TellAndClose(held.Connection, held.Decision);
        while (_lingering.TryDequeue(out var last))
        {
            if (last.Connection.Descriptor >= 0)
                End(last.Connection);
        }
    }

    private bool IsOver(long since, TimeSpan time) => context.Time.GetElapsedTime(since) >= time;

    /// <summary>True: the peer's HEL is still to come. Bytes that have arrived are dropped first, so that the close is
    /// a FIN.
    /// </summary>
    private static bool TrySay(DoorConnection connection, in Decision decision)
    {
        var drained = Drain(connection);
        if (drained == 0)
            return false;
        var message = stackalloc byte[RefusalMessage.MaxBytes];
        var length = RefusalMessage.Write(new Span<byte>(message, RefusalMessage.MaxBytes), decision);
        // The end of the stream follows at once and leaves in the same segment.
        const int Flags = Libc.NoSignal | Libc.DontWait | Libc.MoreFollows;
        var sent = Libc.Send(connection.Descriptor, message, (nuint)length, Flags);
        return sent == length && drained < 0;
    }

    /// <summary>Bytes dropped; 0: the peer is gone; below 0: nothing was there.</summary>
    private static nint Drain(DoorConnection connection)
    {
        // tcp(7): with MSG_TRUNC the bytes are dropped in the kernel.
        var count = Libc.Receive(connection.Descriptor, null, DrainBytes, Libc.DontWait | Libc.Truncate);
        return count >= 0 ? count : Marshal.GetLastPInvokeError() == Libc.Again ? -1 : 0;
    }
}
