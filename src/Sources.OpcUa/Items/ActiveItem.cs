using Gateway.Codec.Structures;

namespace Gateway.Sources.OpcUa.Items;

/// <summary>A monitored item at the upstream.</summary>
/// <param name="Subscription">The upstream's id of its subscription.</param>
/// <param name="Id">The upstream's.</param>
/// <param name="SamplingMs">As granted, and not below the publishing interval.</param>
/// <param name="AskedMs">As asked for.</param>
internal readonly record struct ActiveItem(uint Subscription, uint Id, float SamplingMs, float AskedMs)
{
    /// <summary>One that the upstream did not change stays as it was, and is not asked for again.</summary>
    public ActiveItem Modified(
        in MonitoredItemModifyRequest asked, in MonitoredItemModifyResult result, float revisedMs) => this with
        {
            AskedMs = (float)asked.RequestedParameters.SamplingInterval,
            SamplingMs = result.StatusCode.IsBad ? SamplingMs : revisedMs,
        };
}
