using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Types;

namespace Gateway.Publish.Tests.Support;

/// <summary>Has to be polled; each read of a node gives the next number.</summary>
internal sealed class CountingSource : IPolledSource, IInterestSource
{
    private readonly Dictionary<NodeHandle, int> _reads = [];

    private readonly List<TaskCompletionSource> _waiting = [];

    /// <summary>Reads wait for <see cref="Answer"/>.</summary>
    public bool IsSlow { get; set; }

    public bool Throws { get; set; }

    public List<(NodeHandle Node, bool Wanted)> Interest { get; } = [];

    /// <summary>How many nodes each request asked for.</summary>
    public List<int> Requests { get; } = [];

    /// <summary>What waits goes on, on this thread: a test's own context would send it to another.</summary>
    public void Answer() => End(static answer => answer.SetResult());

    public void Fail() => End(static answer => answer.SetException(new InvalidOperationException("It fails late.")));

    private void End(Action<TaskCompletionSource> end)
    {
        var context = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(null);
        TaskCompletionSource[] waiting = [.. _waiting];
        _waiting.Clear();
        Array.ForEach(waiting, end);
        SynchronizationContext.SetSynchronizationContext(context);
    }

    public int Reads(NodeHandle node) => _reads.GetValueOrDefault(node);

    public bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value)
    {
        value = default;
        if (Throws)
            throw new InvalidOperationException("A source that breaks its contract.");
        if (IsSlow)
            return false;
        value = Next(node);
        return true;
    }

    public async ValueTask ReadAsync(
        ReadOnlyMemory<NodeHandle> nodes, double maxAgeMs, Memory<DataValue> results, CancellationToken ct)
    {
        Requests.Add(nodes.Length);
        var answer = new TaskCompletionSource();
        _waiting.Add(answer);
        await answer.Task.ConfigureAwait(false);
        for (var i = 0; i < nodes.Length; i++)
            results.Span[i] = Next(nodes.Span[i]);
    }

    public bool ThrowsOnInterest { get; set; }

    public void OnInterest(NodeHandle node, bool wanted)
    {
        Interest.Add((node, wanted));
        if (ThrowsOnInterest)
            throw new InvalidOperationException("A source that breaks its contract.");
    }

    private DataValue Next(NodeHandle node) => new(new Variant((double)(_reads[node] = Reads(node) + 1)));
}
