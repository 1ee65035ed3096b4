namespace Gateway.Sources.OpcUa.Items;

/// <summary>A monitored item at the upstream.</summary>
/// <param name="Id">The upstream's.</param>
/// <param name="SamplingMs">As granted, and not below the publishing interval.</param>
/// <param name="AskedMs">As asked for.</param>
internal readonly record struct ActiveItem(uint Id, float SamplingMs, float AskedMs);
