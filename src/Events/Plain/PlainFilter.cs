using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Events.Plain;

/// <summary>Makes an EventFilter of what people ask for. Source: Part 4 §7.7.3, §7.22.3.</summary>
public static class PlainFilter
{
    public const int MaxSeverity = 1000;

    /// <param name="select">The fields, in order.</param>
    /// <param name="types">The event is of one of them, or of a subtype; none: of any.</param>
    /// <param name="minSeverity">0: any, also none.</param>
    public static EventFilter Of(
        IEnumerable<SimpleAttributeOperand> select, IReadOnlyList<NodeId> types, int minSeverity) => new()
        {
            SelectClauses = [.. select],
            WhereClause = WhereOf(types, (ushort)minSeverity),
        };

    private static ContentFilter WhereOf(IReadOnlyList<NodeId> types, ushort minSeverity)
    {
        var elements = new List<ContentFilterElement>();
        if (minSeverity > 0 && types.Count > 0)
            elements.Add(ElementOf(FilterOperator.And, ElementAt(1), ElementAt(2)));
        if (minSeverity > 0)
            elements.Add(ElementOf(
                FilterOperator.GreaterThanOrEqual, new ExtensionObject(PlainFields.Of("severity")),
                LiteralOf(new Variant(minSeverity))));
        // Or(t0, Or(t1, … tn)): each Or is followed by its first type, and that by the rest.
        for (var i = 0; i < types.Count; i++)
        {
            if (i < types.Count - 1)
                elements.Add(ElementOf(
                    FilterOperator.Or, ElementAt(elements.Count + 1), ElementAt(elements.Count + 2)));
            elements.Add(ElementOf(FilterOperator.OfType, LiteralOf(new Variant(types[i]))));
        }

        return new ContentFilter { Elements = elements.Count == 0 ? null : [.. elements] };
    }

    private static ContentFilterElement ElementOf(FilterOperator kind, params ExtensionObject[] operands) =>
        new() { FilterOperator = kind, FilterOperands = operands };

    private static ExtensionObject ElementAt(int index) => new(new ElementOperand { Index = (uint)index });

    private static ExtensionObject LiteralOf(in Variant value) => new(new LiteralOperand { Value = value });
}
