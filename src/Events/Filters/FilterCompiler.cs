using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Events.Filters;

/// <summary>Checks an EventFilter and makes a <see cref="CompiledFilter"/> of it. Thread-safe. Source: Part 4 §7.22.3.
/// </summary>
public sealed class FilterCompiler(NodeTable nodes, EventFilterLimits limits)
{
    /// <summary>Errors: Bad_EventFilterInvalid; Bad_MonitoredItemFilterUnsupported where the filter is larger than the
    /// limits allow.</summary>
    public FilterVerdict Compile(EventFilter filter)
    {
        var clauses = filter.SelectClauses ?? [];
        var elements = filter.WhereClause?.Elements ?? [];
        if (clauses.Length > limits.MaxEventSelectClauses || elements.Length > limits.MaxEventWhereElements ||
            CountOperands(elements) > limits.MaxEventWhereOperands ||
            !TryEncode(filter, out var key))
            return new FilterVerdict(StatusCodes.BadMonitoredItemFilterUnsupported, null, null);
        var selects = new FieldSelection[clauses.Length];
        var codes = new StatusCode[clauses.Length];
        for (var i = 0; i < clauses.Length; i++)
            codes[i] = FieldCheck.Check(nodes, clauses[i], out selects[i]);
        var where = new WhereCompiler(nodes);
        var isWhereGood = where.TryCompile(elements, out var results);
        var isGood = isWhereGood && Array.Exists(codes, static code => code.IsGood);
        var result = isWhereGood && Array.TrueForAll(codes, static code => code.IsGood) ? null : new EventFilterResult
        {
            SelectClauseResults = codes,
            WhereClauseResult = new ContentFilterResult { ElementResults = isWhereGood ? null : results },
        };
        return isGood
            ? new FilterVerdict(
                StatusCode.Good, new CompiledFilter(nodes, key, selects, [.. where.Fields], where.Elements), result)
            : new FilterVerdict(StatusCodes.BadEventFilterInvalid, null, result);
    }

    private static long CountOperands(ContentFilterElement[] elements)
    {
        var count = 0L;
        foreach (var element in elements)
            count += element?.FilterOperands?.Length ?? 0;
        return count;
    }

    private bool TryEncode(EventFilter filter, out byte[] key)
    {
        using var buffer = new PooledBuffer(0);
        var writer = new UaBinaryWriter(buffer);
        filter.Encode(ref writer);
        writer.Complete();
        var isKept = !writer.Failed && buffer.Length <= limits.MaxEventFilterBytes;
        key = isKept ? buffer.WrittenSpan.ToArray() : [];
        return isKept;
    }
}
