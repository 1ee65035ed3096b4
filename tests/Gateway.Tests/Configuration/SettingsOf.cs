using Gateway.Host.Configuration;
using Microsoft.Extensions.Configuration;

namespace Gateway.Tests.Configuration;

/// <summary>Settings as the program reads them.</summary>
internal static class SettingsOf
{
    public static GatewaySettings? TryRead(IConfigurationRoot configuration, out IReadOnlyList<string> errors) =>
        GatewaySettingsReader.TryRead(new ConfigurationLayers(configuration), out errors);
}
