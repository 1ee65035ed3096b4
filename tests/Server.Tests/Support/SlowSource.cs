using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Server.Tests.Support;

/// <summary>A source that answers when the test says so.</summary>
internal sealed class SlowSource : IMethodSource
{
    private TaskCompletionSource _gate = Completed();

    public DataValue Value { get; set; } = new(new Variant(42));

    /// <summary>Of each call; null: the sum of its inputs.</summary>
    public Variant? Output { get; set; }

    public Exception? Fault { get; set; }

    public int Reads { get; private set; }

    public List<SourceWrite> Writes { get; } = [];

    public List<Variant[]> Calls { get; } = [];

    public CancellationToken LastToken { get; private set; }

    public void Hold() => _gate = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);

    public void Go() => _gate.TrySetResult();

    public bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value)
    {
        value = default;
        return false;
    }

    public async ValueTask ReadAsync(
        ReadOnlyMemory<NodeHandle> nodes, double maxAgeMs, Memory<DataValue> results, CancellationToken ct)
    {
        Reads++;
        await WaitAsync(ct);
        results.Span.Fill(Value);
    }

    public async ValueTask WriteAsync(
        ReadOnlyMemory<SourceWrite> writes, Memory<StatusCode> results, CancellationToken ct)
    {
        Writes.AddRange(writes.ToArray());
        await WaitAsync(ct);
        results.Span.Fill(StatusCode.Good);
    }

    public async ValueTask<CallMethodResult> CallAsync(
        NodeHandle obj, NodeHandle method, Variant[] inputs, CancellationToken ct)
    {
        Calls.Add(inputs);
        await WaitAsync(ct);
        var output = Output ?? new Variant(inputs.Sum(input => input.AsInt32()));
        return new CallMethodResult { OutputArguments = [output] };
    }

    private static TaskCompletionSource Completed()
    {
        var source = new TaskCompletionSource();
        source.SetResult();
        return source;
    }

    private Task WaitAsync(CancellationToken ct)
    {
        LastToken = ct;
        return Fault is { } fault ? Task.FromException(fault) : _gate.Task.WaitAsync(ct);
    }
}
