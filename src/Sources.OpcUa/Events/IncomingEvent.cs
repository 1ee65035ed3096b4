using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Events;

/// <summary>An event as the upstream has sent it.</summary>
/// <param name="Fields">In the order of the clauses; every id is the upstream's.</param>
/// <param name="Bytes">Of memory, estimated.</param>
internal readonly record struct IncomingEvent(Variant[] Fields, long Bytes);
