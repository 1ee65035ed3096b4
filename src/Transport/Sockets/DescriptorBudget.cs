namespace Gateway.Transport.Sockets;

/// <summary>
/// How many descriptors connections may use: the process's limit, less its own use and a reserve, because a runtime
/// that finds none left for a thread or a file ends the process (R41). Each listener has a share that no other can
/// take: HTTP's, and the rest for UA-TCP, waiting and admitted connections together. Threads: any.
/// </summary>
internal sealed unsafe class DescriptorBudget
{
    private const int OpenFiles = 7;
    private const int LeastReserve = 24;
    private const int MostReserve = 1024;

    /// <summary>Of an upstream: its session's, one more while it changes from one to the next, a name's look-up.
    /// </summary>
    private const int OfUpstream = 4;

    /// <summary>One admitted connection, and one that comes.</summary>
    private const int LeastHttpShare = 2;

    /// <summary>Eight admitted ones, and one that comes, as long as UA-TCP has as many: an orchestrator, Prometheus and
    /// an operator at once.</summary>
    private const int SmallHttpShare = 9;

    private int _open;
    private int _httpOpen;

    /// <param name="limit">Of the process.</param>
    /// <param name="usedByOthers">Open already.</param>
    /// <param name="upstreams">Servers that the process connects to itself.</param>
    /// <param name="reverse">Of servers that connect to it, at most.</param>
    /// <param name="httpConnections">Wanted; 0: there is no HTTP.</param>
    public DescriptorBudget(int limit, int usedByOthers, int upstreams, int reverse, int httpConnections)
    {
        Limit = limit;
        var runtime = Math.Clamp((limit - usedByOthers) / 4, LeastReserve, MostReserve);
        // However many backups are configured, clients get the half: few of the backups are connected to at a time.
        var most = Math.Max(0, limit - usedByOthers - runtime) / 2;
        var ofServers = Math.Min(most, (OfUpstream * upstreams) + reverse);
        Reserve = usedByOthers + runtime + ofServers;
        OutgoingShare = Math.Max(0, ofServers - reverse);
        var shared = Math.Max(1, limit - Reserve);
        // Beside the admitted ones: those that make room, and are not closed yet.
        var wanted = httpConnections + (httpConnections / 8) + 1;
        var least = Math.Max(LeastHttpShare, Math.Min(Math.Min(SmallHttpShare, wanted), shared / 2));
        HttpShare = httpConnections == 0 ? 0 : Math.Clamp(shared / 4, least, Math.Max(least, wanted));
        Capacity = Math.Max(1, shared - HttpShare);
    }

    /// <summary>Of the process.</summary>
    public int Limit { get; }

    public int Reserve { get; }

    /// <summary>Of the reserve, for connections that the process opens itself: see <see cref="OutgoingPlaces"/>.
    /// </summary>
    public int OutgoingShare { get; }

    /// <summary>For UA-TCP connections.</summary>
    public int Capacity { get; }

    /// <summary>For HTTP connections.</summary>
    public int HttpShare { get; }

    /// <summary>Of these, how many may be admitted.</summary>
    public int MaxHttpLetIn => Math.Max(1, HttpShare * 8 / 9);

    /// <summary>Of these, how many may be admitted: the rest is for those that wait and those that get an
    /// error.</summary>
    public int MaxLetIn => Math.Max(1, (int)(Capacity * 3L / 4));

    public int Open => Volatile.Read(ref _open);

    public int HttpOpen => Volatile.Read(ref _httpOpen);

    public bool IsSpent => Open >= Capacity;

    /// <summary>Of this process, as it stands now.</summary>
    public static DescriptorBudget OfProcess(int upstreams, int reverse, int httpConnections)
    {
        if (!OperatingSystem.IsLinux())
            return new DescriptorBudget(int.MaxValue, 0, upstreams, reverse, httpConnections);
        var limits = stackalloc ulong[2];
        var limit = Libc.ResourceLimit(OpenFiles, limits) < 0 ? 1024 : (int)Math.Min(int.MaxValue, limits[0]);
        return new DescriptorBudget(
            limit, Directory.GetFileSystemEntries("/proc/self/fd").Length, upstreams, reverse, httpConnections);
    }

    /// <summary>One of UA-TCP's, for a connection that the process opens itself. To be closed like the others.
    /// </summary>
    /// <returns>False: clients have less than the half of them.</returns>
    public bool TryOpenForOutgoing()
    {
        if (Interlocked.Increment(ref _open) <= Capacity / 2)
            return true;
        Interlocked.Decrement(ref _open);
        return false;
    }

    public void Opened() => Interlocked.Increment(ref _open);

    public void Closed() => Interlocked.Decrement(ref _open);

    public void HttpOpened() => Interlocked.Increment(ref _httpOpen);

    public void HttpClosed() => Interlocked.Decrement(ref _httpOpen);
}
