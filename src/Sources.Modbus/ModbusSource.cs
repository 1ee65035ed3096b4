using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Types;
using Gateway.Sources.Modbus.Blocks;
using Gateway.Sources.Modbus.Connections;
using Gateway.Sources.Modbus.Health;
using Gateway.Sources.Modbus.Options;
using Gateway.Sources.Modbus.Protocol;
using Gateway.Sources.Modbus.Values;

namespace Gateway.Sources.Modbus;

/// <summary>
/// The values of one device. The gateway polls what is watched, each tag once for all sessions and at most every
/// <see cref="ModbusOptions.PollIntervalMs"/>; tags that are due together and lie together are read in one request.
/// Errors: Bad_NoCommunication while the device is away, Bad_Timeout, and what <see cref="ModbusExceptionCodes"/> makes
/// of a refusal. Threads: any.
/// </summary>
internal sealed class ModbusSource : IPolledSource, ISampledSource
{
    private readonly ModbusOptions _options;
    private readonly ModbusMetrics _metrics;
    private readonly ModbusHealth _health;
    private readonly TimeProvider _time;
    private readonly BlockPlan _plan;
    private readonly ServedTag[] _tags;
    private Dictionary<NodeHandle, ServedTag> _byNode = [];
    private volatile ModbusConnection? _connection;
    private long _lostAtTicks;

    public ModbusSource(ModbusOptions options, ModbusMetrics metrics, ModbusHealth health, TimeProvider time)
    {
        (_options, _metrics, _health, _time) = (options, metrics, health, time);
        _plan = new BlockPlan(options.MaxRegistersPerRead, options.MaxGap);
        _tags = [.. options.Tags.Order(Comparer<ModbusTag>.Create(BlockPlan.Compare))
            .Select(static (tag, rank) => new ServedTag(tag, rank))];
        _lostAtTicks = Now().Ticks;
    }

    public IReadOnlyList<ServedTag> Tags => _tags;

    /// <summary>Null while the device is away.</summary>
    public ModbusConnection? Connection
    {
        get => _connection;
        set
        {
            if (value is null)
                Volatile.Write(ref _lostAtTicks, Now().Ticks);
            foreach (var tag in value is null ? [] : _tags)
                tag.IsBlockStart = false;
            _connection = value;
        }
    }

    /// <summary>Once, when each tag has its node.</summary>
    public void Bind() => _byNode = _tags.ToDictionary(static tag => tag.Node);

    public double SamplingIntervalMs(NodeHandle node) => _options.PollIntervalMs;

    public bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value)
    {
        value = NoCommunication();
        if (_connection is null)
            return true;
        if (!_byNode.TryGetValue(node, out var tag) || tag.Last is not { } last ||
            _time.GetElapsedTime(last.Timestamp).TotalMilliseconds >= maxAgeMs)
            return false;
        value = last.Value;
        return true;
    }

    public async ValueTask ReadAsync(
        ReadOnlyMemory<NodeHandle> nodes, double maxAgeMs, Memory<DataValue> results, CancellationToken ct)
    {
        var tags = new List<(ServedTag Tag, int Place)>(nodes.Length);
        for (var i = 0; i < nodes.Length; i++)
        {
            if (TryRead(nodes.Span[i], maxAgeMs, out var value))
                results.Span[i] = value;
            else if (_byNode.TryGetValue(nodes.Span[i], out var tag))
                tags.Add((tag, i));
            else
                results.Span[i] = new DataValue(StatusCodes.BadNodeIdUnknown);
        }

        foreach (var block in _plan.Make(tags))
            await ReadAsync(block, results, ct).ConfigureAwait(false);
    }

    public async ValueTask WriteAsync(
        ReadOnlyMemory<SourceWrite> writes, Memory<StatusCode> results, CancellationToken ct)
    {
        var run = new WriteRun();
        for (var i = 0; i < writes.Length; i++)
        {
            if (!TryPrepare(writes.Span[i], out var tag, out var registers, out results.Span[i]))
                continue;
            var coil = writes.Span[i].Value.Value.AsBoolean();
            if (run.TryAdd(tag, i, coil, registers))
                continue;
            await WriteAsync(run, results, ct).ConfigureAwait(false);
            run = new WriteRun();
            run.TryAdd(tag, i, coil, registers);
        }

        if (run.Tags.Count > 0)
            await WriteAsync(run, results, ct).ConfigureAwait(false);
    }

    /// <summary>Whether anybody is there: the answer of the first tag's device, also a refusal.</summary>
    public async ValueTask ProbeAsync(ModbusConnection connection, CancellationToken cancellation)
    {
        try
        {
            await AskAsync(connection, new ReadBlock([_tags[0]], [0], _tags[0].Tag.Count).Request, cancellation)
                .ConfigureAwait(false);
        }
        catch (ModbusException error) when (error.Fault == ModbusFault.Refused)
        {
            // It is there.
        }
    }

    /// <summary>Where the device has a hole in its table, the parts on both sides are read by themselves, from then
    /// on.</summary>
    private async ValueTask ReadAsync(ReadBlock block, Memory<DataValue> results, CancellationToken ct)
    {
        try
        {
            var answer = _connection is { } connection
                ? await AskAsync(connection, block.Request, ct).ConfigureAwait(false)
                : throw new ModbusException(ModbusFault.ConnectionLost, "the device is away");
            Take(block, answer.AsSpan(2), results.Span);
        }
        catch (ModbusException error) when (
            error.Code == ModbusExceptionCode.IllegalDataAddress && block.Tags.Count > 1)
        {
            var middle = block.Tags.Count / 2;
            block.Tags[middle].IsBlockStart = true;
            await ReadAsync(block.Part(0, middle), results, ct).ConfigureAwait(false);
            await ReadAsync(block.Part(middle, block.Tags.Count), results, ct).ConfigureAwait(false);
        }
        catch (ModbusException error)
        {
            var value = error.Fault == ModbusFault.ConnectionLost ? NoCommunication() : Failed(error.Status);
            foreach (var place in block.Places)
                results.Span[place] = value;
            if (error.Fault == ModbusFault.Refused)
                _health.Refused($"{block.Tags[0].Tag.Name}: {error.Message}");
        }
    }

    private void Take(ReadBlock block, ReadOnlySpan<byte> data, Span<DataValue> results)
    {
        var (now, timestamp) = (Now(), _time.GetTimestamp());
        for (var i = 0; i < block.Tags.Count; i++)
        {
            var tag = block.Tags[i].Tag;
            var place = tag.Address - block.Address;
            var value = tag.IsOfBits
                ? TagReader.ReadBit(data, place)
                : TagReader.Read(tag, data.Slice(place * 2, tag.Count * 2));
            results[block.Places[i]] = new DataValue(value, StatusCode.Good, now, now);
            block.Tags[i].Last = new TagSample(results[block.Places[i]], timestamp);
        }

        _metrics.Read(block.Tags.Count);
    }

    /// <summary>Modbus has neither a status nor a time, and no part of a value.</summary>
    private bool TryPrepare(in SourceWrite write, out ServedTag tag, out byte[] registers, out StatusCode status)
    {
        registers = [];
        status = StatusCodes.BadNodeIdUnknown;
        if (!_byNode.TryGetValue(write.Node, out tag!))
            return false;
        var value = write.Value;
        if (!string.IsNullOrEmpty(write.IndexRange) || value.Status != StatusCode.Good ||
            value.SourceTimestamp != default || value.ServerTimestamp != default)
            status = StatusCodes.BadWriteNotSupported;
        else if (!tag.Tag.IsOfBits)
            status = TagWriter.Write(tag.Tag, value.Value, out registers);
        else
            status = value.Value is { Type: BuiltInType.Boolean, IsScalar: true }
                ? StatusCode.Good
                : StatusCodes.BadTypeMismatch;
        return status.IsGood;
    }

    private async ValueTask WriteAsync(WriteRun run, Memory<StatusCode> results, CancellationToken ct)
    {
        StatusCode status = StatusCodes.BadNoCommunication;
        if (_connection is { } connection)
        {
            try
            {
                await WriteAsync(connection, run, ct).ConfigureAwait(false);
                status = StatusCode.Good;
            }
            catch (ModbusException error)
            {
                status = error.Status;
            }
        }

        foreach (var (tag, place) in run.Tags)
        {
            // It is not read back: the next read asks the device.
            tag.Last = null;
            results.Span[place] = status;
        }
    }

    private async ValueTask WriteAsync(ModbusConnection connection, WriteRun run, CancellationToken ct)
    {
        var request = run.Request;
        try
        {
            await AskAsync(connection, request, ct).ConfigureAwait(false);
        }
        catch (ModbusException error) when (
            error.Code == ModbusExceptionCode.IllegalFunction &&
            request.Function is (ModbusFunction.WriteSingleCoil or ModbusFunction.WriteSingleRegister))
        {
            await AskAsync(connection, run.RequestForSeveral, ct).ConfigureAwait(false);
        }
    }

    private async ValueTask<byte[]> AskAsync(
        ModbusConnection connection, ModbusRequest request, CancellationToken cancellation)
    {
        var since = _time.GetTimestamp();
        try
        {
            var answer = await connection.AskAsync(request, cancellation).ConfigureAwait(false);
            _metrics.Answered(_time.GetElapsedTime(since));
            return answer;
        }
        catch (ModbusException error)
        {
            _metrics.Failed(error.Fault);
            throw;
        }
    }

    private DataValue NoCommunication()
    {
        var since = new DateTime(Volatile.Read(ref _lostAtTicks), DateTimeKind.Utc);
        return new DataValue(default, StatusCodes.BadNoCommunication, since, since);
    }

    private DataValue Failed(StatusCode status)
    {
        var now = Now();
        return new DataValue(default, status, now, now);
    }

    private DateTime Now() => _time.GetUtcNow().UtcDateTime;
}
