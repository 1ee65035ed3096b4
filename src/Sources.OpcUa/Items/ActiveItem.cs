using Gateway.Codec.Structures;

namespace Gateway.Sources.OpcUa.Items;

/// <summary>A monitored item at the upstream.</summary>
/// <param name="Subscription">The upstream's id of its subscription.</param>
/// <param name="Id">The upstream's.</param>
/// <param name="SamplingMs">As granted, and not below the publishing interval.</param>
/// <param name="AskedMs">As asked for.</param>
/// <param name="QueueSize">As granted.</param>
internal readonly record struct ActiveItem(
    uint Subscription, uint Id, float SamplingMs, float AskedMs, uint QueueSize)
{
    /// <summary>A queue of one value is none: what it loses nobody says. Source: Part 4 §5.13.1.5.</summary>
    public bool TellsLosses => QueueSize > 1;

    /// <summary>One that the upstream did not change stays as it was, and is not asked for again.</summary>
    public ActiveItem Modified(
        in MonitoredItemModifyRequest asked, in MonitoredItemModifyResult result, float revisedMs) => this with
        {
            AskedMs = (float)asked.RequestedParameters.SamplingInterval,
            SamplingMs = result.StatusCode.IsBad ? SamplingMs : revisedMs,
            QueueSize = result.StatusCode.IsBad ? QueueSize : result.RevisedQueueSize,
        };
}
