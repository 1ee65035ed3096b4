using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Client;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Items;
using Gateway.Sources.OpcUa.Load;
using Gateway.Sources.OpcUa.Sessions;
using Polly;
using Polly.CircuitBreaker;

namespace Gateway.Sources.OpcUa;

/// <summary>
/// Serves an upstream's nodes: watched values from the store, everything else by a request upstream. Threads: any.
/// Errors: Bad_NoCommunication while the upstream is away or its circuit is open, else its own answer.
///</summary>
internal sealed class UpstreamSource : ISharedSource, IDiagnosingSource, ITimestampSource, ISampledSource,
    IRatedSource, IConditionForwarder
{
    private readonly NodeTable _nodes;
    private readonly ValueStore _values;
    private readonly TimeProvider _time;
    private readonly UpstreamMetrics _metrics;
    private readonly UpstreamLimits _limits;
    private volatile ResiliencePipeline _pipeline;
    private volatile UpstreamLink? _link;
    private long _circuitBrokeTicks;

    public UpstreamSource(
        NodeTable nodes,
        ValueStore values,
        TimeProvider time,
        UpstreamMetrics metrics,
        UpstreamLimits limits,
        double publishingIntervalMs,
        ResiliencePipeline pipeline)
    {
        _nodes = nodes;
        _values = values;
        _time = time;
        _metrics = metrics;
        _limits = limits;
        _pipeline = pipeline;
        Items = new UpstreamItems(this, nodes, values, metrics, limits, time, publishingIntervalMs);
        Intake = new NotificationIntake(Items, values, metrics, limits, time, publishingIntervalMs);
        Follower = new ItemFollower(Items, nodes, limits);
        Cycles = new CyclicReader(Items, nodes, limits);
    }

    public UpstreamItems Items { get; }

    public NotificationIntake Intake { get; }

    public ItemFollower Follower { get; }

    public CyclicReader Cycles { get; }

    /// <summary>Null while the upstream is away.</summary>
    public UpstreamLink? Link
    {
        get => _link;
        set => _link = value;
    }

    /// <summary>Another server, or the same one otherwise, from the next connection on. The nodes stay, and what is
    /// wanted of them.</summary>
    /// <param name="publishingIntervalMs">Asked for.</param>
    /// <param name="pipeline">Of requests; without the failures of before.</param>
    public void Follow(double publishingIntervalMs, ResiliencePipeline pipeline)
    {
        Items.RequestedMs = publishingIntervalMs;
        _pipeline = pipeline;
    }

    public bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value)
    {
        value = default;
        var (isAway, isFollowed) = (_link is null, Items.IsYoungerThan(node, maxAgeMs));
        if (isFollowed)
        {
            // No change has come, so it is still the upstream's value: known now, or at the loss that is bridged
            // (Part 4 §7.11.4).
            value = _values.Read(node) with { ServerTimestamp = isAway ? Items.LostAt : Now() };
            isFollowed = value.Status != StatusCodes.BadWaitingForInitialData;
        }

        if (isAway && !isFollowed)
            value = NoCommunication(Items.LostAt);
        return isAway || isFollowed;
    }

    public bool IsAtHand(NodeHandle node, double maxAgeMs)
    {
        if (_link is null)
            return true;
        if (!Items.IsYoungerThan(node, maxAgeMs) || _values.Acquire(node) is not { } value)
            return false;
        var status = value.Status;
        value.Release();
        return status != StatusCodes.BadWaitingForInitialData;
    }

    public ValueTask ReadAsync(
        ReadOnlyMemory<NodeHandle> nodes, double maxAgeMs, Memory<DataValue> results, CancellationToken ct) =>
        ReadAsync(nodes, maxAgeMs, results, string.Empty, ct);

    public ValueTask WriteAsync(
        ReadOnlyMemory<SourceWrite> writes, Memory<StatusCode> results, CancellationToken ct) =>
        WriteAsync(writes, results, string.Empty, ct);

    public ValueTask<CallMethodResult> CallAsync(
        NodeHandle obj, NodeHandle method, Variant[] inputs, CancellationToken ct) =>
        CallAsync(obj, method, inputs, string.Empty, ct);

    public async ValueTask ReadAsync(
        ReadOnlyMemory<NodeHandle> nodes, double maxAgeMs, Memory<DataValue> results, string account,
        CancellationToken ct)
    {
        var link = _link;
        if (link is null)
        {
            results.Span.Fill(NoCommunication(Items.LostAt));
            return;
        }

        try
        {
            var reads = Reads(link, nodes.Span, out var places);
            var read = await _pipeline.ExecuteAsync(
                token => ReadOnceAsync(link, reads, maxAgeMs, account, token), ct).ConfigureAwait(false);
            Take(link, read, places, results.Span);
        }
        catch (Exception exception) when (StatusOf(exception) is { } status)
        {
            results.Span.Fill(status == StatusCodes.BadNoCommunication
                ? NoCommunication(LossSeen(exception))
                : new DataValue(status));
        }
    }

    public async ValueTask WriteAsync(
        ReadOnlyMemory<SourceWrite> writes, Memory<StatusCode> results, string account, CancellationToken ct)
    {
        var link = _link;
        if (link is null)
        {
            results.Span.Fill(StatusCodes.BadNoCommunication);
            return;
        }

        List<WriteValue> values = [];
        List<int> places = [];
        Prepare(link, writes.Span, values, places, results.Span);
        var progress = new WriteProgress(values);
        try
        {
            await _pipeline.ExecuteAsync(
                token => link.For(account).WriteAsync(progress, link.Sizes.NodesPerWrite, token), ct)
                .ConfigureAwait(false);
        }
        catch (Exception exception) when (StatusOf(exception) is { } status)
        {
            progress.Fail(status);
        }

        for (var i = 0; i < places.Count; i++)
            results.Span[places[i]] = progress.Results[i];
    }

    public async ValueTask<CallMethodResult> CallAsync(
        NodeHandle obj, NodeHandle method, Variant[] inputs, string account, CancellationToken ct) =>
        (await CallAsync(obj, method, inputs, account, 0, ct).ConfigureAwait(false)).Result;

    public async ValueTask<DiagnosedCall> CallAsync(
        NodeHandle obj, NodeHandle method, Variant[] inputs, string account, uint returnDiagnostics,
        CancellationToken ct) => _link is { } link
            ? await CallAsync(
                link, _nodes.GetNodeId(obj), _nodes.GetNodeId(method), inputs, account,
                new RequestHeader { ReturnDiagnostics = returnDiagnostics }, ct).ConfigureAwait(false)
            : Refused(StatusCodes.BadNoCommunication);

    /// <summary>No node here needs to have the condition's id. The caller's name goes as AuditEntryId: the user there
    /// is the gateway's.</summary>
    public async ValueTask<CallMethodResult> CallAsync(ForwardedCall call, CancellationToken cancellation) =>
        _link is { } link
            ? (await CallAsync(
                link, call.ConditionId, call.MethodId, call.Inputs, call.Account,
                new RequestHeader { AuditEntryId = call.User }, cancellation).ConfigureAwait(false)).Result
            : new CallMethodResult { StatusCode = StatusCodes.BadNoCommunication };

    private async ValueTask<DiagnosedCall> CallAsync(
        UpstreamLink link, NodeId obj, NodeId method, Variant[] inputs, string account, RequestHeader header,
        CancellationToken ct)
    {
        var prepared = PrepareCall(link, obj, method, inputs, out var call);
        if (prepared.IsBad)
            return Refused(prepared);
        try
        {
            var response = await _pipeline.ExecuteAsync(
                token => link.For(account).InvokeAsync<CallRequest, CallResponse>(
                    new CallRequest { RequestHeader = header, MethodsToCall = [call] }, token), ct)
                .ConfigureAwait(false);
            var result = UpstreamRequests.Matching(response.Results, 1)[0];
            return new DiagnosedCall(
                ToLocal(link, Bounded(result), inputs.Length),
                response.DiagnosticInfos is [var diagnostics] ? diagnostics : null,
                Matching(result.InputArgumentDiagnosticInfos, inputs.Length), response.ResponseHeader.StringTable);
        }
        catch (Exception exception) when (StatusOf(exception) is { } status)
        {
            return Refused(status);
        }
    }

    private static DiagnosedCall Refused(StatusCode status) => new(new CallMethodResult { StatusCode = status });

    public void OnInterest(NodeHandle node, bool wanted) => Items.OnInterest(node, wanted);

    public void OnRate(NodeHandle node, double intervalMs) => Items.OnRate(node, intervalMs);

    public void OnTimestampInterest(NodeHandle node, bool wanted) => Items.OnTimestampInterest(node, wanted);

    public double SamplingIntervalMs(NodeHandle node) => Items.SamplingIntervalMs(node);

    /// <summary>No request goes out from now on, until the circuit is closed again.</summary>
    public void OnCircuitBroke() => Volatile.Write(ref _circuitBrokeTicks, Now().Ticks);

    /// <summary>While the connection goes, the loss is seen by this very request.</summary>
    private DateTime LossSeen(Exception exception)
    {
        if (exception is BrokenCircuitException)
            return new DateTime(Volatile.Read(ref _circuitBrokeTicks), DateTimeKind.Utc);
        return _link is null ? Items.LostAt : Now();
    }

    private static DataValue NoCommunication(DateTime since) =>
        new(default, StatusCodes.BadNoCommunication, since, since);

    /// <summary>A node is asked for once, however many ranges of it are wanted.</summary>
    /// <param name="places">The read of each node.</param>
    private List<ReadValueId> Reads(UpstreamLink link, ReadOnlySpan<NodeHandle> nodes, out int[] places)
    {
        var reads = new List<ReadValueId>(nodes.Length);
        var known = new Dictionary<NodeHandle, int>(nodes.Length);
        places = new int[nodes.Length];
        for (var i = 0; i < nodes.Length; i++)
        {
            if (known.TryGetValue(nodes[i], out places[i]))
                continue;
            known[nodes[i]] = places[i] = reads.Count;
            link.Namespaces.TryToUpstream(_nodes.GetNodeId(nodes[i]), out var id);
            reads.Add(new ReadValueId { NodeId = id, AttributeId = (uint)AttributeId.Value });
        }

        return reads;
    }

    /// <summary>One try: the next one begins with the whole allowance again.</summary>
    private async ValueTask<DataValue[]> ReadOnceAsync(
        UpstreamLink link, List<ReadValueId> reads, double maxAgeMs, string account, CancellationToken cancellation)
    {
        var allowance = new ValueAllowance(_limits.MaxUpstreamAnswerBytes);
        var read = await link.For(account)
            .ReadAsync(reads, maxAgeMs, link.Sizes.NodesPerRead, allowance, cancellation).ConfigureAwait(false);
        if (allowance.IsSpent)
            _metrics.Met(UpstreamBound.MaxUpstreamAnswerBytes);
        return read;
    }

    private CallMethodResult Bounded(CallMethodResult result)
    {
        if (new ValueAllowance(_limits.MaxUpstreamAnswerBytes).TryTake(result.OutputArguments))
            return result;
        _metrics.Met(UpstreamBound.MaxUpstreamAnswerBytes);
        return new CallMethodResult { StatusCode = StatusCodes.BadResponseTooLarge };
    }

    private void Take(UpstreamLink link, DataValue[] read, int[] places, Span<DataValue> results)
    {
        var now = Now();
        for (var i = 0; i < read.Length; i++)
        {
            var status = read[i].Status.WithoutOverflow();
            read[i] = link.Namespaces.ToLocal(
                read[i] with { Status = status, ServerTimestamp = now, ServerPicoseconds = 0 });
        }

        for (var i = 0; i < places.Length; i++)
            results[i] = read[places[i]];
    }

    private void Prepare(
        UpstreamLink link,
        ReadOnlySpan<SourceWrite> writes,
        List<WriteValue> values,
        List<int> places,
        Span<StatusCode> results)
    {
        for (var i = 0; i < writes.Length; i++)
        {
            var mapper = link.Namespaces.ToUpstream();
            var value = writes[i].Value with { Value = mapper.Map(writes[i].Value.Value) };
            var id = mapper.Map(_nodes.GetNodeId(writes[i].Node));
            if (mapper.Failed || mapper.IsDoubtful)
            {
                // A namespace that only the gateway knows cannot be said to the upstream; an id in a structure that
                // nobody can look into would name another node there.
                results[i] = mapper.Failed ? StatusCodes.BadOutOfRange : StatusCodes.BadDataTypeIdUnknown;
                continue;
            }

            places.Add(i);
            values.Add(new WriteValue
            {
                NodeId = id,
                AttributeId = (uint)AttributeId.Value,
                IndexRange = writes[i].IndexRange,
                Value = value,
            });
        }
    }

    private static StatusCode PrepareCall(
        UpstreamLink link, NodeId obj, NodeId method, Variant[] inputs, out CallMethodRequest call)
    {
        var mapper = link.Namespaces.ToUpstream();
        var arguments = new Variant[inputs.Length];
        for (var i = 0; i < inputs.Length; i++)
            arguments[i] = mapper.Map(inputs[i]);
        call = new CallMethodRequest
        {
            ObjectId = mapper.Map(obj),
            MethodId = mapper.Map(method),
            InputArguments = arguments,
        };
        return mapper.Failed ? StatusCodes.BadNodeIdUnknown
            : mapper.IsDoubtful ? StatusCodes.BadDataTypeIdUnknown
            : StatusCode.Good;
    }

    /// <summary>One for each input, or none: nothing else counts what a Call holds of it (R42). Source: Part 4 §5.12.2.
    /// </summary>
    private static T[]? Matching<T>(T[]? ofInputs, int inputs) => ofInputs?.Length == inputs ? ofInputs : null;

    private static CallMethodResult ToLocal(UpstreamLink link, CallMethodResult result, int inputs)
    {
        var mapper = link.Namespaces.ToLocal();
        var outputs = result.OutputArguments is { } values ? (Variant[])values.Clone() : null;
        foreach (ref var output in outputs.AsSpan())
            output = mapper.Map(output);
        var isDoubtful = (mapper.Failed || mapper.IsDoubtful) && result.StatusCode.IsGood;
        return new CallMethodResult
        {
            StatusCode = isDoubtful ? StatusCodes.Uncertain : result.StatusCode,
            InputArgumentResults = Matching(result.InputArgumentResults, inputs),
            OutputArguments = outputs,
        };
    }

    /// <summary>Null for failures that the upstream did not cause.</summary>
    private static StatusCode? StatusOf(Exception exception) => exception switch
    {
        BrokenCircuitException => StatusCodes.BadNoCommunication,
        UpstreamBudgetException => UpstreamBudgetException.Status,
        ServiceException { IsConnectionLost: true } => StatusCodes.BadNoCommunication,
        ServiceException service => service.Status,
        _ => null,
    };

    private DateTime Now() => _time.GetUtcNow().UtcDateTime;
}
