using Gateway.Client.Subscriptions;

namespace Gateway.Interop;

/// <summary>Counts counters that step by one: what came, and what was lost, repeated or wrong.</summary>
internal sealed class CounterHandler(int items, int valuesEach) : ISubscriptionHandler
{
    private readonly double[] last = new double[items];
    private readonly int[] received = new int[items];
    private readonly TaskCompletionSource done = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int complete;

    /// <summary>Ends when each item brought that many values.</summary>
    public Task Done => done.Task;

    public int Wrong { get; private set; }

    public void OnDataChange(ClientSubscription subscription, ref DataChangeReader changes)
    {
        while (changes.TryRead(out uint handle, out RawDataValue value))
        {
            if (!value.TryGetDouble(out double number) || value.Status.IsBad)
                Wrong++;
            if (received[handle] > 0 && number != last[handle] + 1)
                Wrong++;
            last[handle] = number;
            if (++received[handle] == valuesEach && ++complete == items)
                done.TrySetResult();
        }
    }

    public void OnLost(ClientSubscription subscription, uint firstSequenceNumber, uint count) => Wrong++;
}
