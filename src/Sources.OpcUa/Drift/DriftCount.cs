using Gateway.Sources.Upstreams;

namespace Gateway.Sources.OpcUa.Drift;

/// <summary>How many changes of one kind there are.</summary>
internal readonly record struct DriftCount(DriftKind Kind, int Count);
