using System.Net;
using Gateway.Admission.Clients;
using Gateway.Admission.Lanes;

namespace Gateway.Admission.Door;

/// <summary>Admission's record of one HTTP connection. Owner: the connection, which comes and leaves once each by
/// <see cref="HttpDoor"/>. Everything but the two times is the door's, under its lock.</summary>
public sealed class HttpPlace(IPAddress address, Action giveWay) : IAged<HttpPlace>
{
    private long _idleSince;
    private int _requests;
    private volatile bool _hasServed;
    private volatile bool _tookNothing;
    private int _isLate;

    public IPAddress Address { get; } = address;

    /// <summary>Monotonic timestamp from which on no request is under way: the connection's coming, or its last
    /// answer. 0: one is. Any thread.</summary>
    public long IdleSince => Volatile.Read(ref _idleSince);

    /// <summary>Its number since the start.</summary>
    public long Serial { get; internal set; }

    /// <summary>Its place in the door's pages.</summary>
    public int Number { get; internal set; }

    /// <summary>Monotonic timestamp of its coming.</summary>
    public long Since { get; internal set; }

    /// <summary>It has had an answer. Any thread.</summary>
    public bool HasServed => _hasServed;

    /// <summary>Its peer made no room for answers until WriteDeadline, so it ends. Any thread.</summary>
    public bool TookNothing => _tookNothing;

    /// <summary>An answer on it is late. True: the first. Any thread.</summary>
    public bool TrySetLate() => Interlocked.Exchange(ref _isLate, 1) == 0;

    internal ClientAccount? Account { get; set; }

    /// <summary>It counts, and may be asked to give way.</summary>
    internal bool IsThere { get; set; }

    /// <summary>Several requests are under way on it: HTTP/2. Any thread.</summary>
    public bool IsShared => Volatile.Read(ref _requests) > 1;

    /// <summary>Under way on it.</summary>
    internal int Requests
    {
        get => _requests;
        set => Volatile.Write(ref _requests, value);
    }

    /// <summary>Of these, how many make room for a newcomer.</summary>
    internal int Yielding { get; set; }

    /// <summary>Among those that may be asked.</summary>
    internal bool IsListed { get; set; }

    /// <summary>One of the last places: it answers the health paths alone.</summary>
    internal bool IsForHealth { get; set; }

    HttpPlace? IAged<HttpPlace>.Older { get; set; }

    HttpPlace? IAged<HttpPlace>.Younger { get; set; }

    /// <summary>Outside the door's lock: the connection is to end now. Never blocks.</summary>
    internal void GiveWay() => giveWay();

    internal void SetBusy() => Volatile.Write(ref _idleSince, 0);

    internal void SetIdle(long now) => Volatile.Write(ref _idleSince, Math.Max(1, now));

    internal void SetServed() => _hasServed = true;

    internal void SetTookNothing() => _tookNothing = true;
}
