namespace Gateway.Testing.Loopback;

/// <summary>What the server allocates for a blocking client: the bytes of the whole process less those of the client's
/// own thread, both exact counts of the runtime. Kestrel's share, the private-key lane's and what runs beside it by the
/// clock are in it; a benchmark's own column would show the client's too.</summary>
internal static class ServerBytes
{
    private const int WarmUps = 3;

    /// <param name="client">Runs on this thread from beginning to end.</param>
    public static long Of(Action client)
    {
        var process = GC.GetTotalAllocatedBytes(precise: true);
        var own = GC.GetAllocatedBytesForCurrentThread();
        client();
        own = GC.GetAllocatedBytesForCurrentThread() - own;
        return GC.GetTotalAllocatedBytes(precise: true) - process - own;
    }

    /// <summary>A round's share of several rounds, at the least of five tries: what the clock causes beside it is in
    /// some tries, what a round costs is in each.</summary>
    public static long OfOne(int rounds, Action client)
    {
        // What a young process makes once, in its tables and by its compiler, belongs to no round.
        for (var i = 0; i < WarmUps * rounds; i++)
            client();
        return Allocations.Least(() => Of(() =>
        {
            for (var i = 0; i < rounds; i++)
                client();
        }) / rounds);
    }
}
