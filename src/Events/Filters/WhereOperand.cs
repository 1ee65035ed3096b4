using Gateway.Codec.Types;
using Gateway.Events.Values;

namespace Gateway.Events.Filters;

/// <summary>An operand that has passed every check.</summary>
/// <param name="Kind">Of operand.</param>
/// <param name="Index">Of the field in <see cref="CompiledFilter.WhereFields"/>, or of the element.</param>
/// <param name="Literal">Of that kind.</param>
internal readonly record struct WhereOperand(OperandKind Kind, int Index, Variant Literal)
{
    /// <summary>Of a literal; see <see cref="ValueWork"/>.</summary>
    public long Work { get; } = ValueWork.Of(Literal, long.MaxValue);
}
