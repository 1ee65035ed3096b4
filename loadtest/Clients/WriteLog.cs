namespace Gateway.Loadtest.Clients;

/// <summary>When each of the last 64 values of each node was written, by the monotonic clock. Threads: one marks, one
/// asks.</summary>
internal sealed class WriteLog(int nodes)
{
    private const int Depth = 64;

    private readonly double[] _values = new double[nodes * Depth];
    private readonly long[] _timestamps = new long[nodes * Depth];

    public void Mark(int node, double value, long timestamp)
    {
        var slot = SlotOf(node, value);
        Volatile.Write(ref _timestamps[slot], timestamp);
        Volatile.Write(ref _values[slot], value);
    }

    /// <returns>NaN for a value that was not written by us, or too long ago.</returns>
    public double TimeMsOf(int node, double value)
    {
        var slot = SlotOf(node, value);
        return Volatile.Read(ref _values[slot]) == value
            ? 1000.0 * Volatile.Read(ref _timestamps[slot]) / TimeProvider.System.TimestampFrequency
            : double.NaN;
    }

    private static int SlotOf(int node, double value) => (node * Depth) + (int)((long)value & (Depth - 1));
}
