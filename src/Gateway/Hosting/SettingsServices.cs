using Gateway.AddressSpace.Hosting;
using Gateway.Admission;
using Gateway.Host.Configuration;
using Gateway.Server;
using Gateway.Server.Users;
using Gateway.Sources;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Gateway.Transport.Profiles;

namespace Gateway.Host.Hosting;

/// <summary>Registers what each part asks of the configuration.</summary>
internal static class SettingsServices
{
    public static IServiceCollection AddSettings(this IServiceCollection services, GatewaySettings settings) => services
        .AddSingleton(settings)
        .AddSingleton(settings.TransportLimits)
        .AddSingleton(settings.HttpLimits)
        .AddSingleton(settings.PublishLimits)
        .AddSingleton(settings.AdmissionLimits)
        .AddSingleton(settings.UpstreamLimits)
        .AddSingleton(settings.LogLimits)
        .AddSingleton(settings.Upstreams)
        .AddSingleton(new UaTcpOptions
        {
            EndPoint = settings.OpcUaEndPoint,
            Security = settings.Security,
            OutgoingConnections = settings.Upstreams.Length,
        })
        .AddSingleton(new HttpOptions { EndPoint = settings.HttpEndPoint })
        .AddSingleton(new PkiOptions
        {
            Path = settings.PkiPath,
            AutoTrust = settings.AutoTrust,
            AcceptUnknownRevocation = settings.AcceptUnknownRevocation,
            AcceptMissingKeyUsage = settings.AcceptMissingKeyUsage,
            AcceptMissingDataEncipherment = settings.AcceptMissingDataEncipherment,
            MaxRejectedCertificates = settings.MaxRejectedCertificates,
        })
        .AddSingleton(new ApplicationCertificateOptions
        {
            ApplicationUri = settings.ApplicationUri,
            ApplicationName = settings.ApplicationName,
            HostNames = settings.HostNames,
        })
        .AddSingleton(new UserDirectory(settings.Users, settings.AnonymousRoles, settings.TrustedUserRoles))
        .AddSingleton(settings.Simulator)
        .AddSingleton(new AdmissionOptions { Enabled = settings.IsAdmissionEnabled })
        .AddSingleton(new ShutdownOptions { Announce = settings.ShutdownAnnounce, Grace = settings.ShutdownGrace })
        .AddSingleton(new LogOptions { AsJson = settings.LogsAsJson })
        .AddSingleton(new DemoOptions(settings.IsDemo))
        .AddSingleton(new ConfigurationReport
        {
            Files = settings.ConfigurationFiles,
            Warnings = settings.Warnings,
            ApplicationUri = settings.IsApplicationUriGiven ? settings.ApplicationUri : null,
        })
        .AddSingleton(static of => AddressSpaceOf(
            of.GetRequiredService<GatewaySettings>(), of.GetRequiredService<ApplicationCertificate>(),
            of.GetServices<SourceDriverRegistration>()))
        .AddSingleton(static of => ServerOf(
            of.GetRequiredService<GatewaySettings>(), of.GetRequiredService<ApplicationCertificate>()));

    /// <summary>Clients keep NodeIds by index: 1 is the gateway's own namespace, 2 the simulator's.</summary>
    private static AddressSpaceOptions AddressSpaceOf(
        GatewaySettings settings, ApplicationCertificate certificate, IEnumerable<SourceDriverRegistration> drivers) =>
        new()
        {
            Namespaces =
            [
                certificate.ApplicationUri, .. drivers.SelectMany(static driver => driver.FixedNamespaces),
            ],
            NodeSetsPath = settings.NodeSetsPath,
        };

    private static ServerOptions ServerOf(GatewaySettings settings, ApplicationCertificate certificate) => new()
    {
        ApplicationUri = certificate.ApplicationUri,
        ApplicationName = settings.ApplicationName,
        SoftwareVersion = ProductVersion.Text,
        BuildNumber = ProductVersion.Text,
        EndpointUrls = settings.EndpointUrls,
        FallbackEndpointUrl = TransportProfiles.UaTcp.UrlOf(
            System.Net.Dns.GetHostName(), settings.OpcUaEndPoint.Port),
        Security = settings.Security,
        OfferAnonymous = settings.AnonymousRoles is not null,
        OfferUserName = settings.Users.Any(user => user.Password is not null),
        Limits = settings.ServerLimits,
    };
}
