using System.Globalization;
using System.Reflection;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Admission;
using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Host.Configuration;
using Gateway.Publish;
using Gateway.Server;
using Gateway.Sources.OpcUa;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.Options;

namespace Gateway.Tests.Hosting;

/// <summary>Every limit is configured to what is not its default; then the configured one is what the parts enforce,
/// what the address space advertises and what admission is told.</summary>
public sealed class ConfiguredLimitsTests : IDisposable
{
    private static readonly (AdmissionStage Stage, string Limit)[] Stages =
    [
        (AdmissionStage.CreateSession, "MaxSessions"),
        (AdmissionStage.ActivateSession, "MaxSessions"),
        (AdmissionStage.Request, "MaxPendingRequestsPerSession"),
        (AdmissionStage.Publish, "MaxPublishRequestsPerSession"),
        (AdmissionStage.Open, "MaxPrivateKeyQueueLength"),
        (AdmissionStage.Renew, "MaxPrivateKeyQueueLength"),
    ];

    private readonly string _folder = Directory.CreateTempSubdirectory("gateway-").FullName;

    private static object[] Defaults =>
    [
        new TransportLimits(), new HttpLimits(), new ServerLimits(), new PublishLimits(), new AdmissionLimits(),
        new LogLimits(), new UpstreamLimits(),
    ];

    /// <summary>Limits whose names are not those of the standard's Properties.</summary>
    private static readonly Dictionary<string, string> OwnNames = new()
    {
        ["MaxSelectClauseParameters"] = nameof(PublishLimits.MaxEventSelectClauses),
        ["MaxWhereClauseParameters"] = nameof(PublishLimits.MaxEventWhereElements),
    };

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task EveryLimit_Configured_IsInForceAndToldToAdmission()
    {
        await using var gateway = Build(Defaults.SelectMany(Others).Distinct());

        var (transport, admission) = (gateway.Get<TransportContext>(), gateway.Get<AdmissionControl>());
        AssertConfigured(transport.Limits);
        AssertConfigured(transport.Http);
        AssertConfigured(admission.Limits);
        AssertConfigured(gateway.Get<GatewayServer>().Limits);
        AssertConfigured(gateway.Get<PublishEngine>().Limits);
        AssertConfigured(gateway.Get<UpstreamLimits>());
        AssertConfigured(gateway.Get<LogLimits>());
        var reported = gateway.Get<LimitTable>().ByName;
        Assert.All(Defaults.SelectMany(Properties), row => Assert.Equal(Other(row.Value), reported[row.Name]));
        Assert.All(Stages, row => Assert.Equal(
            Convert.ToInt64(reported[row.Limit], CultureInfo.InvariantCulture), admission.Stages.Limit(row.Stage)));
    }

    /// <summary>What Kestrel enforces of a request.</summary>
    [Fact]
    public async Task EveryLimitOfHttp_Configured_IsKestrels()
    {
        await using var gateway = Build(Defaults.SelectMany(Others).Distinct());
        var (kestrel, limits) = (gateway.Get<IOptions<KestrelServerOptions>>().Value.Limits, gateway.Get<HttpLimits>());

        Assert.Equal(limits.HttpHeaderDeadline, kestrel.RequestHeadersTimeout);
        Assert.Equal(limits.HttpKeepAliveTime, kestrel.KeepAliveTimeout);
        Assert.Equal(limits.MaxHttpRequestLineBytes, kestrel.MaxRequestLineSize);
        Assert.Equal(limits.MaxHttpHeaderBytes, kestrel.MaxRequestHeadersTotalSize);
        Assert.Equal(limits.MaxHttpHeaders, kestrel.MaxRequestHeaderCount);
        Assert.Equal(limits.MaxHttpBodyBytes, kestrel.MaxRequestBodySize);
        Assert.Equal(limits.HttpGracePeriod, kestrel.MinRequestBodyDataRate!.GracePeriod);
        Assert.Equal(limits.MinHttpBytesPerSecond, kestrel.MinResponseDataRate!.BytesPerSecond);
        Assert.NotEqual(new HttpLimits().MaxHttpHeaders, kestrel.MaxRequestHeaderCount);
    }

    [Fact]
    public async Task EveryLimitOfTheServerObject_IsTheConfiguredOne()
    {
        await using var gateway = Build(Defaults.SelectMany(Others).Distinct());
        var limits = gateway.Get<LimitTable>().ByName;
        var (nodes, values) = (gateway.Get<NodeTable>(), gateway.Get<ValueStore>());
        _ = gateway.Get<GatewayServer>();
        var compared = new List<string>();
        foreach (var node in Below(nodes, new NodeId(StandardIds.Objects.Server_ServerCapabilities)))
        {
            var name = nodes.GetBrowseName(node).Name!;
            var value = values.Read(node).Value;
            if (!name.StartsWith("Max", StringComparison.Ordinal))
                continue;
            if (!limits.TryGetValue(OwnNames.GetValueOrDefault(name, name), out var limit) &&
                !limits.TryGetValue(name + "Bytes", out limit))
            {
                Assert.True(value.AsInt64() == 0, $"{name} is {value}, and nobody can configure it");
                continue;
            }

            Assert.True(
                value.AsInt64() == Convert.ToInt64(limit, CultureInfo.InvariantCulture),
                $"{name} is told as {value} and configured as {limit}");
            compared.Add(name);
        }

        Assert.Contains("MaxSubscriptionsPerSession", compared);
        Assert.Contains("MaxMonitoredItemsQueueSize", compared);
        Assert.Contains("MaxSelectClauseParameters", compared);
        Assert.Contains("MaxWhereClauseParameters", compared);
        Assert.True(compared.Count >= 17, string.Join(", ", compared));
    }

    [Fact]
    public async Task RequestSize_AboveTheChannels_TheChannelsIsTold()
    {
        await using var gateway = Build(["--Limits:MaxMessageSizeBytes=1048576"]);

        var server = gateway.Get<GatewayServer>().Limits;
        Assert.Equal(1024 * 1024, server.MaxRequestMessageSizeBytes);
        Assert.Equal(gateway.Get<TransportContext>().Limits.MaxMessageSizeBytes, server.MaxRequestMessageSizeBytes);
        Assert.Equal(
            server.MaxRequestMessageSizeBytes,
            gateway.Get<LimitTable>().InForce[nameof(ServerLimits.MaxRequestMessageSizeBytes)]);
    }

    private WebApplication Build(IEnumerable<string> limits) =>
        Composition.Build([$"--Pki:Path={_folder}", "--Simulator:Tags=1", .. limits]);

    private static void AssertConfigured(object limits) => Assert.All(
        Properties(Activator.CreateInstance(limits.GetType())!).Zip(Properties(limits)),
        pair => Assert.Equal((pair.First.Name, Other(pair.First.Value)), pair.Second));

    private static HashSet<NodeHandle> Below(NodeTable nodes, NodeId root)
    {
        var found = new HashSet<NodeHandle>();
        var open = new Queue<NodeHandle>([nodes.Find(root)]);
        while (open.TryDequeue(out var node))
        {
            foreach (var reference in nodes.References(node))
            {
                var isChild = reference.IsForward && nodes.GetNodeClass(reference.Target) is
                    NodeClass.Object or NodeClass.Variable;
                if (isChild && found.Add(reference.Target))
                    open.Enqueue(reference.Target);
            }
        }

        return found;
    }

    private static IEnumerable<(string Name, object Value)> Properties(object limits) =>
        from property in limits.GetType().GetProperties(BindingFlags.Public | BindingFlags.Instance)
        where property.SetMethod is not null
        select (property.Name, property.GetValue(limits)!);

    private static IEnumerable<string> Others(object limits) => Properties(limits).Select(row =>
        string.Create(CultureInfo.InvariantCulture, $"--Limits:{row.Name}={Other(row.Value)}"));

    private static object Other(object value) => value switch
    {
        int number => number + 1,
        uint number => number + 1,
        long number => number + 1,
        double number => number + 1,
        TimeSpan time => time + TimeSpan.FromSeconds(1),
        _ => throw new NotSupportedException(value.GetType().Name),
    };
}
