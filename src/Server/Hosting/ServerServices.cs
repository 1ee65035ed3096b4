using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Operations;
using Gateway.Publish;
using Gateway.Server.Audit.Trail;
using Gateway.Server.Management;
using Gateway.Server.Users;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Gateway.Transport.Tracing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Gateway.Server.Hosting;

/// <summary>Registers the services on top of secure channels, and the users.</summary>
public static class ServerServices
{
    /// <summary>Needs <see cref="ServerOptions"/>, <see cref="UserOptions"/>, <see cref="ITokenValidator"/>,
    /// <see cref="RequestTracing"/>, the transport, the PKI, publishing, the address space and the
    /// <see cref="TimeProvider"/>.</summary>
    public static IServiceCollection AddServer(this IServiceCollection services) => services
        // The limits in force, for all parts registered after this line.
        .AddSingleton(static of => of.GetRequiredService<ServerOptions>().Limits)
        .AddSingleton(static of => of.GetRequiredService<ServerLimits>().Operations)
        .AddOperations()
        .AddSingleton<UserDirectory>()
        .AddSingleton<IUserValidator>(static of => MakeUsers(
            of.GetRequiredService<UserDirectory>(), of.GetRequiredService<CertificateValidators>(),
            of.GetRequiredService<ITokenValidator>(),
            of.GetRequiredService<OwnCertificate>(), of.GetRequiredService<TransportContext>(),
            of.GetRequiredService<ServerLimits>()))
        .AddSingleton(static of => MakeServer(
            of.GetRequiredService<ServerOptions>(), of.GetRequiredService<TransportContext>(), of))
        .AddSingleton(static of => of.GetRequiredService<GatewayServer>().Logins)
        .AddSingleton(static of => of.GetRequiredService<GatewayServer>().Audit)
        .AddSingleton(static of => of.GetRequiredService<GatewayServer>().Directory)
        .AddSingleton(static of => of.GetRequiredService<GatewayServer>().Conditions)
        .AddSingleton<ConnectionDirectory>()
        .AddSingleton<IHostedService, CertificateAudit>();

    /// <summary>One set for all protocols; each part is also registered by its own type.</summary>
    private static IServiceCollection AddOperations(this IServiceCollection services) => services
        .AddSingleton<NodeOperations>()
        .AddSingleton(static of => of.GetRequiredService<NodeOperations>().Access)
        .AddSingleton(static of => of.GetRequiredService<NodeOperations>().Types)
        .AddSingleton(static of => of.GetRequiredService<NodeOperations>().Reader)
        .AddSingleton(static of => of.GetRequiredService<NodeOperations>().ReadPlanner)
        .AddSingleton(static of => of.GetRequiredService<NodeOperations>().Writer)
        .AddSingleton(static of => of.GetRequiredService<NodeOperations>().WritePlanner)
        .AddSingleton(static of => of.GetRequiredService<NodeOperations>().Browser)
        .AddSingleton(static of => of.GetRequiredService<NodeOperations>().Translator)
        .AddSingleton(static of => of.GetRequiredService<NodeOperations>().Paths)
        .AddSingleton(static of => of.GetRequiredService<NodeOperations>().Search)
        .AddSingleton(static of => of.GetRequiredService<NodeOperations>().Methods)
        .AddSingleton(static of => of.GetRequiredService<NodeOperations>().MethodCaller);

    private static UserValidator MakeUsers(
        UserDirectory users, CertificateValidators validators, ITokenValidator tokens,
        OwnCertificate certificate, TransportContext transport, ServerLimits limits) => new(
            users, validators.MakeForUsers(users.Thumbprints), tokens, () => certificate.Current, transport.PrivateKeys,
            transport.Time, limits);

    private static GatewayServer MakeServer(
        ServerOptions options, TransportContext transport, IServiceProvider of) => new(
            options,
            new ServerParts
            {
                Nodes = of.GetRequiredService<NodeTable>(),
                Values = of.GetRequiredService<ValueStore>(),
                Operations = of.GetRequiredService<NodeOperations>(),
                Publishing = of.GetRequiredService<PublishEngine>(),
                Users = of.GetRequiredService<IUserValidator>(),
                Certificate = of.GetRequiredService<OwnCertificate>(),
                Certificates = of.GetRequiredService<CertificateValidators>().Clients,
                PrivateKeyLane = transport.PrivateKeys,
                Admission = transport.Admission,
                Memory = transport.Budget,
                Failures = transport.Failures,
                Tracing = of.GetRequiredService<RequestTracing>(),
                AuditSink = of.GetService<IAuditSink>(),
                Clock = transport.Time,
                Loggers = of.GetRequiredService<ILoggerFactory>(),
            });
}
