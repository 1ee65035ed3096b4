using Gateway.Admission;
using Gateway.Host.Configuration;
using Gateway.Publish;
using Gateway.Server;
using Gateway.Server.Users;
using Gateway.Sources.OpcUa;
using Gateway.Sources.Simulator;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace Gateway.Tests.Configuration;

/// <summary>Settings as the program reads them, and as its parts get them from the container.</summary>
internal static class SettingsOf
{
    public static GatewaySettings? TryRead(IConfigurationRoot configuration, out IReadOnlyList<string> errors)
    {
        var options = new GatewayOptions(new ConfigurationLayers(configuration));
        errors = options.FindErrors();
        if (errors.Count > 0)
            return null;
        var services = new ServiceCollection();
        options.AddTo(services);
        using var provider = services.BuildServiceProvider();
        return Read(provider);
    }

    private static GatewaySettings Read(IServiceProvider of)
    {
        var (opcUa, pki) = (of.GetRequiredService<OpcUaOptions>(), of.GetRequiredService<PkiOptions>());
        var (users, report) = (of.GetRequiredService<UserOptions>(), of.GetRequiredService<ConfigurationReport>());
        var shutdown = of.GetRequiredService<ShutdownOptions>();
        return new GatewaySettings
        {
            ConfigurationFiles = report.Files,
            Warnings = report.Warnings,
            IsDemo = of.GetRequiredService<DemoOptions>().IsDemo,
            OpcUaEndPoint = opcUa.EndPoint,
            EndpointUrls = opcUa.EndpointUrls,
            Security = opcUa.Security,
            ApplicationUri = opcUa.ApplicationUri,
            IsApplicationUriGiven = opcUa.IsApplicationUriGiven,
            ApplicationName = opcUa.ApplicationName,
            HostNames = opcUa.HostNames,
            HttpEndPoint = of.GetRequiredService<HttpOptions>().EndPoint,
            PkiPath = pki.Path,
            AutoTrust = pki.AutoTrust,
            AcceptUnknownRevocation = pki.AcceptUnknownRevocation,
            AcceptMissingKeyUsage = pki.AcceptMissingKeyUsage,
            AcceptMissingDataEncipherment = pki.AcceptMissingDataEncipherment,
            MaxRejectedCertificates = pki.MaxRejectedCertificates,
            Users = [.. users.Accounts],
            AnonymousRoles = users.AnonymousRoles,
            TrustedUserRoles = users.TrustedUserRoles,
            Upstreams = of.GetRequiredService<UpstreamOptions[]>(),
            NodeSetsPath = of.GetRequiredService<NodeSetOptions>().Path,
            Simulator = of.GetRequiredService<SimulatorOptions>(),
            TransportLimits = of.GetRequiredService<TransportLimits>(),
            HttpLimits = of.GetRequiredService<HttpLimits>(),
            ServerLimits = of.GetRequiredService<ServerLimits>(),
            PublishLimits = of.GetRequiredService<PublishLimits>(),
            AdmissionLimits = of.GetRequiredService<AdmissionLimits>(),
            UpstreamLimits = of.GetRequiredService<UpstreamLimits>(),
            LogLimits = of.GetRequiredService<LogLimits>(),
            IsAdmissionEnabled = of.GetRequiredService<AdmissionOptions>().Enabled,
            ShutdownAnnounce = shutdown.Announce,
            ShutdownGrace = shutdown.Grace,
            LogsAsJson = of.GetRequiredService<LogOptions>().AsJson,
        };
    }
}
