using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Publish.Tests.Support;

/// <summary>Has to be polled; each read of a node gives the next number.</summary>
internal sealed class CountingSource : INodeSource
{
    private readonly Dictionary<NodeHandle, int> _reads = [];

    private TaskCompletionSource _answer = new();

    /// <summary>Reads wait for <see cref="Answer"/>.</summary>
    public bool IsSlow { get; set; }

    public bool Throws { get; set; }

    public List<(NodeHandle Node, bool Wanted)> Interest { get; } = [];

    /// <summary>What waits goes on, on this thread: a test's own context would send it to another.</summary>
    public void Answer()
    {
        var context = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(null);
        _answer.SetResult();
        SynchronizationContext.SetSynchronizationContext(context);
    }

    public int Reads(NodeHandle node) => _reads.GetValueOrDefault(node);

    public bool IsPolled(NodeHandle node) => true;

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
        await _answer.Task.ConfigureAwait(false);
        _answer = new TaskCompletionSource();
        for (var i = 0; i < nodes.Length; i++)
            results.Span[i] = Next(nodes.Span[i]);
    }

    public ValueTask WriteAsync(ReadOnlyMemory<SourceWrite> writes, Memory<StatusCode> results, CancellationToken ct) =>
        ValueTask.CompletedTask;

    public ValueTask<CallMethodResult> CallAsync(
        NodeHandle obj, NodeHandle method, Variant[] inputs, CancellationToken ct) => default;

    public bool ThrowsOnInterest { get; set; }

    public void OnInterest(NodeHandle node, bool wanted)
    {
        Interest.Add((node, wanted));
        if (ThrowsOnInterest)
            throw new InvalidOperationException("A source that breaks its contract.");
    }

    private DataValue Next(NodeHandle node) => new(new Variant((double)(_reads[node] = Reads(node) + 1)));
}
