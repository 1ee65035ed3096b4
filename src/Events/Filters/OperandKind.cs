namespace Gateway.Events.Filters;

/// <summary>Where the value of an operand comes from.</summary>
internal enum OperandKind : byte
{
    Literal,
    Field,
    Element,
}
