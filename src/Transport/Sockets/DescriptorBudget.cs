namespace Gateway.Transport.Sockets;

/// <summary>
/// How many descriptors connections may use, waiting ones and those let in together: what the process may open, less
/// what it uses itself and a reserve, because a runtime that finds none left for a file it must load ends the process.
/// Threads: any.
/// </summary>
internal sealed unsafe class DescriptorBudget
{
    private const int OpenFiles = 7;
    private const int LeastReserve = 24;
    private const int MostReserve = 1024;

    private int _open;

    public DescriptorBudget(int limit, int usedByOthers)
    {
        Limit = limit;
        Reserve = usedByOthers + Math.Clamp((limit - usedByOthers) / 4, LeastReserve, MostReserve);
        Capacity = Math.Max(1, limit - Reserve);
    }

    /// <summary>Of the process.</summary>
    public int Limit { get; }

    public int Reserve { get; }

    /// <summary>For connections.</summary>
    public int Capacity { get; }

    /// <summary>Of these, how many may be let in: the rest is for those that wait and those being told to go.</summary>
    public int MaxLetIn => Math.Max(1, Capacity / 4 * 3);

    public int Open => Volatile.Read(ref _open);

    public bool IsSpent => Open >= Capacity;

    /// <summary>Of this process, as it stands now.</summary>
    public static DescriptorBudget OfProcess()
    {
        if (!OperatingSystem.IsLinux())
            return new DescriptorBudget(int.MaxValue, 0);
        var limits = stackalloc ulong[2];
        var limit = Libc.ResourceLimit(OpenFiles, limits) < 0 ? 1024 : (int)Math.Min(int.MaxValue, limits[0]);
        return new DescriptorBudget(limit, Directory.GetFileSystemEntries("/proc/self/fd").Length);
    }

    public void Opened() => Interlocked.Increment(ref _open);

    public void Closed() => Interlocked.Decrement(ref _open);
}
