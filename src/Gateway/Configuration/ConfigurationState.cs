using Gateway.Rest.Management;

namespace Gateway.Host.Configuration;

/// <summary>The configuration as it is after the last reload; immutable, swapped whole.</summary>
/// <param name="Start">That the gateway started with.</param>
/// <param name="InForce">The values that the parts go by.</param>
/// <param name="Read">As it was read last without errors: it differs where a key needs a restart.</param>
/// <param name="Last">The last reload; null: there was none.</param>
internal sealed record ConfigurationState(
    ConfigurationLayers Start, ConfigurationLayers InForce, ConfigurationLayers Read, ConfigurationReload? Last)
{
    /// <summary>Keys that the next start takes over.</summary>
    public IReadOnlyList<ConfigurationChange> Pending { get; } = ConfigurationDiff.Between(InForce, Read, Start);
}
