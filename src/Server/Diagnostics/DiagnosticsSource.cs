using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Types;

namespace Gateway.Server.Diagnostics;

/// <summary>
/// The nodes below ServerDiagnostics: computed when they are read, polled while they are monitored, and otherwise
/// nothing. While EnabledFlag is false all others are Bad_NotReadable; setting it to true begins all counts anew.
/// Any thread. Source: Part 5 §6.3.3, §6.3.4.
/// </summary>
internal sealed class DiagnosticsSource(DiagnosticsValues values, TimeProvider clock)
    : IPolledSource, IDirectWriter
{
    private readonly Lock _switching = new();
    private volatile bool _isEnabled = true;

    public bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value)
    {
        if (node == values.EnabledFlag)
        {
            value = Now(new Variant(_isEnabled));
            return true;
        }

        if (!_isEnabled)
        {
            value = new DataValue(StatusCodes.BadNotReadable);
            return true;
        }

        if (values.Arrays.TryGetValue(node, out var array))
            return array.TryGet(out value);
        value = values.Scalars.TryGetValue(node, out var read)
            ? Now(read())
            : new DataValue(StatusCodes.BadNotReadable);
        return true;
    }

    public async ValueTask ReadAsync(
        ReadOnlyMemory<NodeHandle> nodes, double maxAgeMs, Memory<DataValue> results, CancellationToken ct)
    {
        for (var i = 0; i < nodes.Length; i++)
        {
            var node = nodes.Span[i];
            if (!TryRead(node, maxAgeMs, out var value))
                value = await values.Arrays[node].GetAsync().WaitAsync(ct).ConfigureAwait(false);
            results.Span[i] = value;
        }
    }

    public StatusCode Write(in SourceWrite write)
    {
        if (write.Node != values.EnabledFlag)
            return StatusCodes.BadNotWritable;
        if (write.IndexRange is not null)
            return StatusCodes.BadIndexRangeInvalid;
        var enable = write.Value.Value.AsBoolean();
        lock (_switching)
        {
            if (enable && !_isEnabled)
                values.Reset();
            _isEnabled = enable;
        }

        return StatusCode.Good;
    }

    private DataValue Now(Variant value)
    {
        var now = clock.GetUtcNow().UtcDateTime;
        return new DataValue(value, StatusCode.Good, now, now);
    }
}
