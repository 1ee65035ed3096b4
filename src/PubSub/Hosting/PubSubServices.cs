using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Operations.Access;
using Gateway.PubSub.KeyServices;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.Probes;
using Gateway.PubSub.Readers;
using Gateway.PubSub.States;
using Gateway.Server;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Hosting;

/// <summary>Registers PubSub; nothing of it without a connection.</summary>
public static class PubSubServices
{
    /// <summary>Needs the server, the address space, <see cref="PubSubOptions"/>, <see cref="PubSubLimits"/> and the
    /// <see cref="TimeProvider"/>. Last: it stops first.</summary>
    public static IServiceCollection AddPubSub(this IServiceCollection services) => services
        .AddSingleton(static of => PublisherOf(
            of.GetRequiredService<PubSubOptions>(), of.GetRequiredService<ServerOptions>(),
            () => of.GetRequiredService<GatewayServer>().DescribeEndpoints()))
        .AddSingleton(static of => new GroupKeys(
            of.GetRequiredService<PubSubOptions>().NoncesPath, of.GetRequiredService<TimeProvider>(),
            of.GetRequiredService<ILoggerFactory>(), of.GetRequiredService<SecurityKeyServices>()))
        .AddSingleton(static of => new SecurityKeyServices(
            of.GetRequiredService<PubSubOptions>().KeyServices, of.GetRequiredService<PubSubLimits>(),
            () => ClientOf(of), of.GetRequiredService<TimeProvider>(), of.GetRequiredService<ILoggerFactory>()))
        .AddSingleton(static of => new OutputFactory(
            of.GetRequiredService<PublisherFacts>(), of.GetRequiredService<PubSubLimits>(),
            of.GetRequiredService<NodeTable>(), of.GetRequiredService<TableStructures>(),
            of.GetRequiredService<GroupKeys>(), of.GetRequiredService<TimeProvider>(),
            of.GetRequiredService<ILoggerFactory>(), of.GetRequiredService<TransportContext>().DialAsync,
            new ProbeAnswersFactory(
                of.GetRequiredService<PublisherFacts>(), of.GetRequiredService<PubSubLimits>(),
                of.GetRequiredService<TimeProvider>())))
        .AddSingleton<ReaderService>()
        .AddSingleton<IReaderState>(static of => of.GetRequiredService<ReaderService>())
        .AddSingleton<IHostedService>(static of => of.GetRequiredService<ReaderService>())
        .AddSingleton(static of => new PubSubService(
            of.GetRequiredService<PubSubOptions>(), of.GetRequiredService<PubSubLimits>(),
            of.GetRequiredService<GatewayServer>(), of.GetRequiredService<NodeTable>(),
            of.GetRequiredService<NodeAccess>(), of.GetRequiredService<ValueStore>(),
            of.GetRequiredService<OutputFactory>(),
            of.GetRequiredService<ReaderService>(), of.GetRequiredService<TimeProvider>(),
            of.GetRequiredService<ILogger<PubSubService>>()))
        .AddSingleton<IPubSubState>(static of => of.GetRequiredService<PubSubService>())
        .AddSingleton<IHostedService>(static of => of.GetRequiredService<PubSubService>());

    private static UaClient ClientOf(IServiceProvider of) => new(new ClientOptions
    {
        ApplicationName = of.GetRequiredService<ApplicationCertificateOptions>().ApplicationName,
        LiveCertificate = of.GetRequiredService<OwnCertificate>(),
        CertificateValidator = of.GetRequiredService<CertificateValidators>().Servers,
        TimeProvider = of.GetRequiredService<TimeProvider>(),
        TransportContext = of.GetRequiredService<TransportContext>(),
    });

    private static PublisherFacts PublisherOf(
        PubSubOptions options, ServerOptions server, Func<EndpointDescription[]> endpoints)
    {
        var uri = server.ApplicationUri;
        var id = options.PublisherId.Length > 0 ? options.PublisherId : uri[(uri.LastIndexOfAny([':', '/']) + 1)..];
        return new PublisherFacts(TopicNames.IsLevel(id) ? id : "gateway", uri, server.ApplicationName)
        {
            Endpoints = endpoints,
        };
    }
}
