using Gateway.AddressSpace.Nodes;
using Gateway.Admission;
using Gateway.Codec.Types;
using Gateway.Events.Plain;
using Gateway.Rest.Access;
using Gateway.Rest.Alarms;
using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
using Gateway.Rest.Budgets;
using Gateway.Rest.Calls;
using Gateway.Rest.Clients;
using Gateway.Rest.Conversion;
using Gateway.Rest.Documents;
using Gateway.Rest.Events;
using Gateway.Rest.Lists;
using Gateway.Rest.Management;
using Gateway.Rest.Nodes;
using Gateway.Rest.Overview;
using Gateway.Rest.Routing;
using Gateway.Rest.Services;
using Gateway.Rest.Sockets;
using Gateway.Rest.Streams;
using Gateway.Rest.Tracing;
using Gateway.Rest.Upstreams;
using Gateway.Rest.Values;
using Gateway.Server;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;

namespace Gateway.Rest.Hosting;

/// <summary>Registers and maps the resource API. The host maps it into a group that lets users in only.</summary>
public static class RestServices
{
    /// <summary>Needs <see cref="RestLimits"/>, <see cref="IGatewayFacts"/>,
    /// <see cref="IConfigurationControl"/>, <see cref="IOverviewHistory"/>, <see cref="INoticeBoard"/>,
    /// <see cref="IUpstreamTests"/>, <see cref="IUpstreamDrift"/>, <see cref="IBrokerTests"/>,
    /// <see cref="IValueWays"/>, health checks, the server with its operations, the PKI, the address space and the
    /// <see cref="TimeProvider"/>.</summary>
    public static IServiceCollection AddRest(this IServiceCollection services) => services
        .AddSockets()
        .AddSingleton<TableStructures>()
        .AddSingleton<RestFormat>()
        .AddSingleton<TurnLane>()
        .AddSingleton<AnswerSender>()
        .AddSingleton<BodyReader>()
        .AddSingleton(static of => new RequestMemories(
            of.GetRequiredService<GatewayServer>().Decoding, of.GetRequiredService<AnswerSender>(),
            of.GetRequiredService<AdmissionControl>(), of.GetRequiredService<ServerLimits>()))
        .AddSingleton<RestRequests>()
        .AddNames()
        .AddSingleton<NodeJson>()
        .AddSingleton<ChildPages>()
        .AddSingleton<EnumNames>()
        .AddSingleton<AbstractValues>()
        .AddSingleton<ValueConverter>()
        .AddSingleton<CallInputs>()
        .AddSingleton<ValueReading>()
        .AddSingleton<ValueWriting>()
        .AddSingleton<NodeEndpoints>()
        .AddSingleton<CallEndpoint>()
        .AddSingleton<EncodedValues>()
        .AddSingleton<StreamBook>()
        .AddSingleton<StreamDoor>()
        .AddSingleton<StreamEndpoint>()
        .AddSingleton<EventForms>()
        .AddSingleton<EventEndpoint>()
        .AddSingleton<ManagementRequests>()
        .AddSingleton<ClientEndpoints>()
        .AddSingleton<SessionEndpoints>()
        .AddSingleton<ConnectionEndpoints>()
        .AddSingleton<SubscriptionEndpoints>()
        .AddSingleton<CertificateEndpoints>()
        .AddSingleton<UploadEndpoints>()
        .AddSingleton<OwnCertificateEndpoints>()
        .AddSingleton<StateEndpoints>()
        .AddSingleton<ConfigurationEndpoints>()
        .AddSingleton<HealthEndpoint>()
        .AddSingleton<MeEndpoint>()
        .AddSingleton<NoticesEndpoint>()
        .AddSingleton<AlarmsEndpoint>()
        .AddSingleton<UpstreamTestPlaces>()
        .AddSingleton<ConnectionTrials>()
        .AddSingleton<UpstreamTestEndpoint>()
        .AddSingleton<UpstreamDriftEndpoint>()
        .AddSingleton<BrokerTestEndpoint>()
        .AddSingleton<NodeTrace>()
        .AddSingleton<TraceEndpoint>()
        .AddSingleton<OverviewEndpoint>()
        .AddSingleton<ServiceCalls>()
        .AddSingleton<ServiceEndpoint>()
        .AddSingleton<ApiLimits>()
        .AddSingleton<DocumentBuilder>()
        .AddSingleton<DocumentEndpoint>()
        .AddSingleton<RestCounters>()
        .AddStarting<RestCounters>(static counters => counters.Start());

    public static void MapRest(this IEndpointRouteBuilder routes)
    {
        Map(routes, RoutesOf(routes.ServiceProvider));
        MapSockets(routes, routes.ServiceProvider.GetRequiredService<LiveEndpoint>().Routes);
    }

    /// <summary>The services of the standard's OpenAPI mapping, into a group of their own.</summary>
    public static void MapOpcUa(this IEndpointRouteBuilder routes)
    {
        Map(routes, [
            .. routes.ServiceProvider.GetRequiredService<ServiceEndpoint>().Routes,
            routes.ServiceProvider.GetRequiredService<DocumentEndpoint>().RouteOf(ApiInfo.OpcUa),
        ]);
        MapSockets(routes, routes.ServiceProvider.GetRequiredService<OpcUaSocketEndpoint>().Routes);
    }

    /// <summary>The same for clients made from the OPC Foundation's OpenAPI document.</summary>
    public static void MapOpcUaOpenApi(this IEndpointRouteBuilder routes) =>
        Map(routes, routes.ServiceProvider.GetRequiredService<ServiceEndpoint>().OpenApiRoutes);

    /// <summary>Of nodes and of types, as requests name them.</summary>
    private static IServiceCollection AddNames(this IServiceCollection services) => services
        .AddSingleton<NodeNames>()
        .AddSingleton<NodeList>()
        .AddSingleton<NodesBody>()
        .AddSingleton(static of => new PlainTypeNames(
            of.GetRequiredService<NodeTable>(), StandardIds.ObjectTypes.BaseObjectType,
            StandardIds.VariableTypes.BaseVariableType, StandardIds.DataTypes.BaseDataType));

    /// <summary>WebSockets. A host that lets pages of other origins in has registered <see cref="WebOrigins"/>.
    /// </summary>
    private static IServiceCollection AddSockets(this IServiceCollection services)
    {
        services.TryAddSingleton(new WebOrigins([]));
        return services
            .AddSingleton<IStartupFilter, SocketUpgrade>()
            .AddSingleton<SocketParts>()
            .AddSingleton<SocketCounters>()
            .AddSingleton<SocketBook>()
            .AddSingleton<LiveAnswers>()
            .AddSingleton<LiveStreams>()
            .AddSingleton<LiveParts>()
            .AddSingleton<LiveEndpoint>()
            .AddSingleton<OpcUaSocketEndpoint>();
    }

    private static void Map(IEndpointRouteBuilder routes, IEnumerable<RestRoute> all)
    {
        foreach (var route in all)
            routes.MapMethods(route.Path, [route.Method], route.Handle).WithMetadata([.. route.Operations]);
    }

    /// <summary>They check their user themselves. OpenAPI 3.1 knows no CONNECT.</summary>
    private static void MapSockets(IEndpointRouteBuilder routes, IEnumerable<RestRoute> all)
    {
        foreach (var route in all)
        {
            var endpoint = routes.MapMethods(route.Path, [route.Method], route.Handle)
                .WithMetadata([OptionalUser.Instance, .. route.Operations]);
            if (HttpMethods.IsConnect(route.Method))
                endpoint.ExcludeFromDescription();
        }
    }

    private static IEnumerable<RestRoute> RoutesOf(IServiceProvider of) =>
    [
        .. of.GetRequiredService<ValueReading>().Routes, .. of.GetRequiredService<ValueWriting>().Routes,
        .. of.GetRequiredService<NodeEndpoints>().Routes, .. of.GetRequiredService<CallEndpoint>().Routes,
        .. of.GetRequiredService<StreamEndpoint>().Routes, .. of.GetRequiredService<EventEndpoint>().Routes,
        .. of.GetRequiredService<ClientEndpoints>().Routes,
        .. of.GetRequiredService<SessionEndpoints>().Routes, .. of.GetRequiredService<ConnectionEndpoints>().Routes,
        .. of.GetRequiredService<SubscriptionEndpoints>().Routes,
        .. of.GetRequiredService<StateEndpoints>().Routes,
        .. of.GetRequiredService<ConfigurationEndpoints>().Routes, .. of.GetRequiredService<HealthEndpoint>().Routes,
        .. of.GetRequiredService<CertificateEndpoints>().Routes, .. of.GetRequiredService<UploadEndpoints>().Routes,
        .. of.GetRequiredService<OwnCertificateEndpoints>().Routes,
        .. of.GetRequiredService<MeEndpoint>().Routes, .. of.GetRequiredService<OverviewEndpoint>().Routes,
        .. of.GetRequiredService<TraceEndpoint>().Routes, .. of.GetRequiredService<NoticesEndpoint>().Routes,
        .. of.GetRequiredService<AlarmsEndpoint>().Routes,
        .. of.GetRequiredService<UpstreamDriftEndpoint>().Routes,
        .. of.GetRequiredService<UpstreamTestEndpoint>().Routes, .. of.GetRequiredService<BrokerTestEndpoint>().Routes,
        of.GetRequiredService<DocumentEndpoint>().RouteOf(ApiInfo.Resource),
    ];
}
