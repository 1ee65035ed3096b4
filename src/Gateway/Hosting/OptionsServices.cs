using System.Net;
using Gateway.AddressSpace.Hosting;
using Gateway.Host.Configuration;
using Gateway.Host.Tokens;
using Gateway.Publish.Durable;
using Gateway.PubSub.Options;
using Gateway.Server;
using Gateway.Server.Discovery;
using Gateway.Server.Users;
using Gateway.Sources;
using Gateway.Sources.Connections;
using Gateway.Sources.Modbus.Options;
using Gateway.Sources.OpcUa;
using Gateway.Sources.OpcUa.Reverse;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Gateway.Transport.Profiles;
using Microsoft.Extensions.Options;
using TransportContext = Gateway.Transport.Hosting.TransportContext;

namespace Gateway.Host.Hosting;

/// <summary>Registers the options that the parts need: the sections of the configuration, and values that depend on
/// several of them.</summary>
internal static class OptionsServices
{
    public static IServiceCollection AddGatewayOptions(this IServiceCollection services, GatewayOptions options)
    {
        options.AddTo(services);
        return services
            .AddSingleton(options.Layers)
            .AddSingleton<TcpDial>(static of => of.GetRequiredService<TransportContext>().DialAsync)
            .AddSingleton(static of => UaTcpOf(
                of.GetRequiredService<OpcUaOptions>(),
                PeersOf(of),
                of.GetRequiredService<ReverseConnectOptions>().MaxDescriptors(
                    of.GetRequiredService<UpstreamOptions[]>())))
            .AddSingleton(static of => CertificateOf(of.GetRequiredService<OpcUaOptions>()))
            .AddSingleton(static of => AddressSpaceOf(
                of.GetRequiredService<NodeSetOptions>(), of.GetServices<SourceDriverRegistration>(),
                of.GetRequiredService<ApplicationCertificate>()))
            .AddSingleton(static of => ServerOf(
                of.GetRequiredService<OpcUaOptions>(), of.GetRequiredService<UserOptions>(),
                of.GetRequiredService<JwtOptions>(), of.GetRequiredService<HttpOptions>(),
                of.GetRequiredService<DurableOptions>(),
                of.GetRequiredService<IOptions<ServerLimits>>().Value,
                of.GetRequiredService<TransportLimits>(),
                of.GetRequiredService<ApplicationCertificate>()));
    }

    /// <summary>To each of which the process opens connections itself.</summary>
    private static int PeersOf(IServiceProvider of)
    {
        var pubSub = of.GetRequiredService<PubSubOptions>();
        return of.GetRequiredService<UpstreamOptions[]>().Sum(static one => one.BackupUrls.Length + 1)
            + of.GetRequiredService<ModbusOptions[]>().Length
            + pubSub.Connections.Count + pubSub.KeyServices.Count
            + (of.GetRequiredService<OtlpOptions>().Endpoint is null ? 0 : 1)
            + (of.GetRequiredService<JwtOptions>().KeysUrl is null ? 0 : 1);
    }

    private static UaTcpOptions UaTcpOf(OpcUaOptions options, int upstreams, int incoming) => new()
    {
        EndPoint = options.EndPoint,
        Security = options.Security,
        OutgoingConnections = upstreams,
        ReverseDescriptors = incoming,
    };

    private static ApplicationCertificateOptions CertificateOf(OpcUaOptions options) => new()
    {
        ApplicationUri = options.ApplicationUri,
        ApplicationName = options.ApplicationName,
        HostNames = options.HostNames,
    };

    /// <summary>Clients keep NodeIds by index: 1 is the gateway's own namespace, 2 the simulator's.</summary>
    private static AddressSpaceOptions AddressSpaceOf(
        NodeSetOptions nodeSets, IEnumerable<SourceDriverRegistration> drivers,
        ApplicationCertificate certificate) => new()
        {
            Namespaces =
            [
                certificate.ApplicationUri,
                .. drivers.Where(static driver => driver.IsEnabled).SelectMany(static driver => driver.FixedNamespaces),
            ],
            NodeSetsPath = nodeSets.Path,
        };

    /// <summary>The limits in it are those in force: no request is larger than a message.</summary>
    private static ServerOptions ServerOf(
        OpcUaOptions options, UserOptions users, JwtOptions jwt, HttpOptions http, DurableOptions durable,
        ServerLimits configured, TransportLimits transport, ApplicationCertificate certificate) => new()
        {
            ApplicationUri = certificate.ApplicationUri,
            ApplicationName = options.ApplicationName,
            SoftwareVersion = ProductVersion.Text,
            BuildNumber = ProductVersion.Text,
            EndpointUrls = options.EndpointUrls,
            FallbackEndpointUrl = TransportProfiles.UaTcp.UrlOf(Dns.GetHostName(), options.EndPoint.Port),
            Security = options.Security,
            OfferAnonymous = users.AnonymousRoles is not null,
            OfferUserName = users.Accounts.Any(user => user.Password is not null),
            OfferDurableSubscriptions = durable.IsOn,
            Https = http.Tls is null
                ? null
                : new HttpsOffer(
                    http.EndPoint.Port, HttpOptions.ServicesPath, IPAddress.IsLoopback(http.EndPoint.Address)),
            Tokens = jwt.IsOn ? new TokenAuthority(jwt.Issuer, jwt.Audience) : null,
            Limits = configured with
            {
                MaxRequestMessageSizeBytes =
                    Math.Min(configured.MaxRequestMessageSizeBytes, transport.MaxMessageSizeBytes),
            },
        };
}
