using Gateway.Codec.Structures;

namespace Gateway.Events.Filters;

/// <summary>An element that has passed every check.</summary>
/// <param name="Operator">One that event filters may use.</param>
/// <param name="Operands">As many as it needs.</param>
/// <param name="IsReachable">From the first element; all others are passed over.</param>
internal readonly record struct WhereElement(FilterOperator Operator, WhereOperand[] Operands, bool IsReachable);
