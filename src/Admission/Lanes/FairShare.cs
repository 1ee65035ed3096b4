namespace Gateway.Admission.Lanes;

/// <summary>The service that one certificate or address has had from one queue, in the queue's virtual time: a piece of
/// work costs 1 / weight. Threads: any.</summary>
public sealed class FairShare
{
    private double _finish;
    private double _weight = 1;

    /// <summary>Where its next piece of work begins at the earliest.</summary>
    public double Finish => Volatile.Read(ref _finish);

    public double Weight
    {
        get => Volatile.Read(ref _weight);
        internal set => Volatile.Write(ref _weight, value);
    }

    /// <summary>Entries of it that wait; under the queue's lock, as is the next.</summary>
    internal int Waiting { get; set; }

    /// <summary>Monotonic timestamp of when the last of them left.</summary>
    internal long LastWaited { get; set; }

    /// <summary>One piece of work that begins at <paramref name="start"/>.</summary>
    internal void Charge(double start)
    {
        double before;
        do
            before = Finish;
        while (!TrySet(before, Math.Max(before, start) + (1 / Weight)));
    }

    /// <summary>Pieces of work more, or less, without a beginning.</summary>
    internal void Add(double pieces)
    {
        double before;
        do
            before = Finish;
        while (!TrySet(before, Math.Max(0, before + (pieces / Weight))));
    }

    internal void LimitTo(double finish)
    {
        double before;
        do
            before = Finish;
        while (before > finish && !TrySet(before, finish));
    }

    private bool TrySet(double before, double after) =>
        BitConverter.DoubleToInt64Bits(Interlocked.CompareExchange(ref _finish, after, before)) ==
            BitConverter.DoubleToInt64Bits(before);
}
