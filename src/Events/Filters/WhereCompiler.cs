using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Events.Filters;

/// <summary>Checks the where clause of one filter. Elements that the first one does not lead to are passed over.
/// Source: Part 4 §7.7.1, §7.7.3.</summary>
internal sealed class WhereCompiler(NodeTable nodes)
{
    public List<FieldSelection> Fields { get; } = [];

    public WhereElement[] Elements { get; private set; } = [];

    /// <param name="elements">Of the filter.</param>
    /// <param name="results">Of each element.</param>
    public bool TryCompile(ContentFilterElement[] elements, out ContentFilterElementResult[] results)
    {
        results = new ContentFilterElementResult[elements.Length];
        Elements = new WhereElement[elements.Length];
        var reachable = new bool[elements.Length];
        if (elements.Length > 0)
            reachable[0] = true;
        var isGood = true;
        for (var i = 0; i < elements.Length; i++)
        {
            results[i] = reachable[i] ? CompileElement(elements, i, reachable) : new ContentFilterElementResult();
            isGood &= !results[i].StatusCode.IsBad;
        }

        return isGood;
    }

    private ContentFilterElementResult CompileElement(ContentFilterElement[] elements, int index, bool[] reachable)
    {
        var element = elements[index];
        var operands = element?.FilterOperands ?? [];
        var codes = new StatusCode[operands.Length];
        var status = element is null
            ? StatusCodes.BadFilterElementInvalid
            : CheckOperator(element.FilterOperator, operands.Length);
        if (status.IsBad)
            return new ContentFilterElementResult { StatusCode = status, OperandStatusCodes = codes };
        var compiled = new WhereOperand[operands.Length];
        for (var i = 0; i < operands.Length; i++)
        {
            codes[i] = CompileOperand(operands[i].Body, index, reachable, out compiled[i]);
            if (codes[i].IsBad && !status.IsBad)
            {
                status = codes[i] == StatusCodes.BadFilterElementInvalid
                    ? codes[i]
                    : StatusCodes.BadFilterOperandInvalid;
            }
        }

        if (!status.IsBad && element!.FilterOperator == FilterOperator.OfType && !IsEventType(ref compiled[0]))
            status = codes[0] = StatusCodes.BadFilterOperandInvalid;
        Elements[index] = new WhereElement(element!.FilterOperator, compiled, IsReachable: true);
        return new ContentFilterElementResult { StatusCode = status, OperandStatusCodes = codes };
    }

    private static StatusCode CheckOperator(FilterOperator kind, int operands)
    {
        var (least, most) = kind switch
        {
            FilterOperator.IsNull or FilterOperator.Not or FilterOperator.OfType => (1, 1),
            FilterOperator.Between => (3, 3),
            // Collectors of alarms create their item with an empty list, and fill it later.
            FilterOperator.InList => (1, int.MaxValue),
            FilterOperator.InView or FilterOperator.RelatedTo => (-1, -1),
            >= FilterOperator.Equals and <= FilterOperator.BitwiseOr => (2, 2),
            _ => (-2, -2),
        };
        return least switch
        {
            -2 => StatusCodes.BadFilterOperatorInvalid,
            -1 => StatusCodes.BadFilterOperatorUnsupported,
            _ when operands < least || operands > most => StatusCodes.BadFilterOperandCountMismatch,
            _ => StatusCode.Good,
        };
    }

    private StatusCode CompileOperand(object? operand, int index, bool[] reachable, out WhereOperand compiled)
    {
        compiled = default;
        switch (operand)
        {
            case LiteralOperand literal:
                compiled = new WhereOperand(OperandKind.Literal, 0, literal.Value);
                return literal.Value.Type is BuiltInType.DataValue or BuiltInType.DiagnosticInfo
                    ? StatusCodes.BadFilterLiteralInvalid
                    : StatusCode.Good;
            case ElementOperand element:
                // Only further on: so there is no loop.
                if (element.Index <= index || element.Index >= reachable.Length)
                    return StatusCodes.BadFilterElementInvalid;
                reachable[element.Index] = true;
                compiled = new WhereOperand(OperandKind.Element, (int)element.Index, default);
                return StatusCode.Good;
            case SimpleAttributeOperand field:
                var status = FieldCheck.Check(nodes, field, out var selection);
                compiled = new WhereOperand(OperandKind.Field, Fields.Count, default);
                Fields.Add(selection);
                return status;
            default:
                return StatusCodes.BadFilterOperandInvalid;
        }
    }

    /// <summary>A literal NodeId that may be one of a type of events.</summary>
    private bool IsEventType(ref WhereOperand operand)
    {
        if (operand is { Kind: OperandKind.Literal, Literal.Type: BuiltInType.ExpandedNodeId } &&
            operand.Literal.AsExpandedNodeId() is { IsLocal: true } expanded)
            operand = operand with { Literal = new Variant(expanded.NodeId) };
        return operand is { Kind: OperandKind.Literal, Literal: { Type: BuiltInType.NodeId, IsScalar: true } } &&
            FieldCheck.MayBeEventType(nodes, operand.Literal.AsNodeId());
    }
}
