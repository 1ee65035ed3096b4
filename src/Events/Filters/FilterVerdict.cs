using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Events.Filters;

/// <summary>The result of checking an EventFilter.</summary>
/// <param name="Status">Of the item: Good where at least one select clause can be used and the where clause is valid.
/// </param>
/// <param name="Filter">Null where the status is Bad.</param>
/// <param name="Result">The code of each clause; null where all are Good.</param>
public readonly record struct FilterVerdict(StatusCode Status, CompiledFilter? Filter, EventFilterResult? Result);
