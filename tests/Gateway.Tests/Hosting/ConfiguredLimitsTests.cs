using System.Globalization;
using System.Reflection;
using Gateway.AddressSpace.Nodes;
using Gateway.Admission;
using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Host;
using Gateway.Host.Configuration;
using Gateway.Host.Hosting;
using Gateway.Host.Logging;
using Gateway.Publish;
using Gateway.Server;
using Gateway.Sources.OpcUa;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;
using Microsoft.Extensions.Logging.Abstractions;

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

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task EveryLimit_Configured_IsInForceAndToldToAdmission()
    {
        var settings = Read(Defaults.SelectMany(Others).Distinct());
        await using var parts = new GatewayParts(settings, TimeProvider.System, NullLoggerFactory.Instance);

        Assert.Equal(settings.TransportLimits, parts.Transport.Limits);
        Assert.Equal(settings.HttpLimits, parts.Transport.Http);
        Assert.Equal(settings.AdmissionLimits, parts.Admission.Limits);
        Assert.Equal(settings.ServerLimits, parts.Server.Limits);
        Assert.Equal(settings.PublishLimits, parts.Publishing.Limits);
        Assert.NotEqual(new ServerLimits(), settings.ServerLimits);
        Assert.NotEqual(new PublishLimits(), settings.PublishLimits);
        Assert.All(Stages, row => Assert.Equal(
            Convert.ToInt64(LimitTable.Of(settings)[row.Limit], CultureInfo.InvariantCulture),
            parts.Admission.Stages.Limit(row.Stage)));
    }

    [Fact]
    public async Task EveryLimitOfTheServerObject_IsTheConfiguredOne()
    {
        var settings = Read(Defaults.SelectMany(Others).Distinct());
        await using var parts = new GatewayParts(settings, TimeProvider.System, NullLoggerFactory.Instance);
        var limits = LimitTable.Of(settings);
        var compared = new List<string>();
        foreach (var node in Below(parts.Nodes, new NodeId(StandardIds.Objects.Server_ServerCapabilities)))
        {
            var name = parts.Nodes.GetBrowseName(node).Name!;
            var value = parts.Values.Read(node).Value;
            if (!name.StartsWith("Max", StringComparison.Ordinal))
                continue;
            if (!limits.TryGetValue(name, out var limit) && !limits.TryGetValue(name + "Bytes", out limit))
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
        Assert.True(compared.Count >= 17, string.Join(", ", compared));
    }

    [Fact]
    public async Task RequestSize_AboveTheChannels_TheChannelsIsTold()
    {
        var settings = Read(["--Limits:MaxMessageSizeBytes=1048576"]);
        await using var parts = new GatewayParts(settings, TimeProvider.System, NullLoggerFactory.Instance);
        Assert.Equal(1024 * 1024, parts.Server.Limits.MaxRequestMessageSizeBytes);
        Assert.Equal(parts.Transport.Limits.MaxMessageSizeBytes, parts.Server.Limits.MaxRequestMessageSizeBytes);
        Assert.Equal(parts.Server.Limits.MaxRequestMessageSizeBytes,
            LimitTable.Of(settings)[nameof(ServerLimits.MaxRequestMessageSizeBytes)]);
    }

    private GatewaySettings Read(IEnumerable<string> limits)
    {
        var configuration = CommandLine.ReadConfiguration([$"--Pki:Path={_folder}", "--Simulator:Tags=1", .. limits]);
        var settings = GatewaySettingsReader.TryRead(configuration, out var errors);
        Assert.Empty(errors);
        return settings!;
    }

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

    private static IEnumerable<string> Others(object limits) =>
        from property in limits.GetType().GetProperties(BindingFlags.Public | BindingFlags.Instance)
        where property.SetMethod is not null
        select string.Create(
            CultureInfo.InvariantCulture, $"--Limits:{property.Name}={Other(property.GetValue(limits)!)}");

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
