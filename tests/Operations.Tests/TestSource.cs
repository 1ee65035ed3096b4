using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Operations.Tests;

/// <summary>A source that has nothing at hand; while it is held it answers nothing.</summary>
internal sealed class TestSource(Variant value) : IMethodSource
{
    private TaskCompletionSource _gate = Open();

    /// <summary>Calls of ReadAsync, and how many nodes each was for.</summary>
    public List<int> Reads { get; } = [];

    /// <summary>Calls of WriteAsync.</summary>
    public List<SourceWrite[]> Writes { get; } = [];

    /// <summary>Inputs of each call.</summary>
    public List<Variant[]> Calls { get; } = [];

    public StatusCode WriteStatus { get; set; } = StatusCode.Good;

    public void Hold() => _gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);

    public void Go() => _gate.SetResult();

    public bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value)
    {
        value = default;
        return false;
    }

    public async ValueTask ReadAsync(
        ReadOnlyMemory<NodeHandle> nodes, double maxAgeMs, Memory<DataValue> results, CancellationToken ct)
    {
        Reads.Add(nodes.Length);
        await _gate.Task.WaitAsync(ct);
        results.Span.Fill(new DataValue(value));
    }

    public async ValueTask WriteAsync(
        ReadOnlyMemory<SourceWrite> writes, Memory<StatusCode> results, CancellationToken ct)
    {
        Writes.Add(writes.ToArray());
        await _gate.Task.WaitAsync(ct);
        results.Span.Fill(WriteStatus);
    }

    public async ValueTask<CallMethodResult> CallAsync(
        NodeHandle obj, NodeHandle method, Variant[] inputs, CancellationToken ct)
    {
        Calls.Add(inputs);
        await _gate.Task.WaitAsync(ct);
        return new CallMethodResult { OutputArguments = [value] };
    }

    private static TaskCompletionSource Open()
    {
        var gate = new TaskCompletionSource();
        gate.SetResult();
        return gate;
    }
}
