using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Sources;

/// <summary>The default source: values live in the ValueStore and writes go there. Has no methods.</summary>
public sealed class StoreSource(ValueStore store, TimeProvider time) : IDirectWriter
{
    private readonly Lock _rangeLock = new();

    public bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value)
    {
        value = store.Read(node);
        return true;
    }

    /// <summary>Errors: what the range says (Bad_IndexRangeInvalid, Bad_IndexRangeNoData, Bad_IndexRangeDataMismatch).
    /// </summary>
    public StatusCode Write(in SourceWrite write)
    {
        var value = write.Value;
        if (value.SourceTimestamp == default)
            value = value with { SourceTimestamp = time.GetUtcNow().UtcDateTime };
        if (string.IsNullOrEmpty(write.IndexRange))
        {
            store.Set(write.Node, value);
            return StatusCodes.Good;
        }

        if (!NumericRangeText.TryParse(write.IndexRange, out var range))
            return StatusCodes.BadIndexRangeInvalid;
        StatusCode status;
        lock (_rangeLock)
        {
            status = range.Write(store.Read(write.Node).Value, value.Value, out var merged);
            if (status.IsGood)
                store.Set(write.Node, value with { Value = merged });
        }

        return status;
    }
}
