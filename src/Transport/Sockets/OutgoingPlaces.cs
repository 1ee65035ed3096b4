namespace Gateway.Transport.Sockets;

/// <summary>The connections that the process opens itself, within the descriptors that are kept for them (R41). Beyond
/// that share a connection takes one of UA-TCP's, as long as clients have the half of these; then none. Before a
/// listener stands, and in a process without one, all are counted and none is refused. Threads: any.</summary>
/// <param name="budget">Null: no listener stands.</param>
internal sealed class OutgoingPlaces(Func<DescriptorBudget?> budget)
{
    private int _open;

    public int Open => Volatile.Read(ref _open);

    /// <returns>To be disposed of when the connection's socket is closed. Null: there is none left.</returns>
    public IDisposable? TryTake()
    {
        var own = Interlocked.Increment(ref _open);
        if (budget() is not { } limits || own <= limits.OutgoingShare)
            return new Place(this, null);
        if (limits.TryOpenForOutgoing())
            return new Place(this, limits);
        Interlocked.Decrement(ref _open);
        return null;
    }

    private sealed class Place(OutgoingPlaces places, DescriptorBudget? lender) : IDisposable
    {
        private int _isOver;

        public void Dispose()
        {
            if (Interlocked.Exchange(ref _isOver, 1) != 0)
                return;
            Interlocked.Decrement(ref places._open);
            lender?.Closed();
        }
    }
}
