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
using Gateway.Sources.Upstream;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Tests.Hosting;

/// <summary>Every limit is configured to what is not its default; then the configured one is what the parts enforce,
/// what the address space advertises and what admission is told.</summary>
public sealed class ConfiguredLimitsTests : IAsyncLifetime
{
    private readonly string _folder = Directory.CreateTempSubdirectory("gateway-").FullName;
    private GatewaySettings _settings = null!;
    private GatewayParts _parts = null!;

    private static object[] Defaults =>
    [
        new TransportLimits(), new HttpLimits(), new ServerLimits(), new PublishLimits(), new AdmissionLimits(),
        new LogLimits(), new UpstreamLimits(),
    ];

    public Task InitializeAsync()
    {
        var keys = Defaults.SelectMany(Others).Distinct();
        var configuration = CommandLine.ReadConfiguration([$"--Pki:Path={_folder}", "--Simulator:Tags=1", .. keys]);
        _settings = GatewaySettingsReader.TryRead(configuration, out var errors)!;
        Assert.Empty(errors);
        _parts = new GatewayParts(_settings, TimeProvider.System, NullLoggerFactory.Instance);
        return Task.CompletedTask;
    }

    public async Task DisposeAsync()
    {
        await _parts.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void EveryLimit_Configured_IsInForce()
    {
        Assert.Equal(_settings.TransportLimits, _parts.Transport.Limits);
        Assert.Equal(_settings.HttpLimits, _parts.Transport.Http);
        Assert.Equal(_settings.AdmissionLimits, _parts.Admission.Limits);
        Assert.Equal(_settings.ServerLimits, _parts.Server.Limits);
        Assert.Equal(_settings.PublishLimits, _parts.Publishing.Limits);
        Assert.NotEqual(new ServerLimits(), _settings.ServerLimits);
        Assert.NotEqual(new PublishLimits(), _settings.PublishLimits);
    }

    [Fact]
    public void EveryLimitOfTheServerObject_IsTheConfiguredOne()
    {
        var limits = LimitTable.Of(_settings);
        var compared = new List<string>();
        foreach (var node in Below(new NodeId(StandardIds.Objects.Server_ServerCapabilities)))
        {
            var name = _parts.Nodes.GetBrowseName(node).Name!;
            var value = _parts.Values.Read(node).Value;
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

    [Theory]
    [InlineData(AdmissionStage.CreateSession, "MaxSessions")]
    [InlineData(AdmissionStage.ActivateSession, "MaxSessions")]
    [InlineData(AdmissionStage.Request, "MaxPendingRequestsPerSession")]
    [InlineData(AdmissionStage.Publish, "MaxPublishRequestsPerSession")]
    [InlineData(AdmissionStage.Open, "MaxPrivateKeyQueueLength")]
    [InlineData(AdmissionStage.Renew, "MaxPrivateKeyQueueLength")]
    public void EveryStageOfAdmission_IsToldTheConfiguredLimit(AdmissionStage stage, string limit) =>
        Assert.Equal(
            Convert.ToInt64(LimitTable.Of(_settings)[limit], CultureInfo.InvariantCulture),
            _parts.Admission.Stages.Limit(stage));

    [Fact]
    public void RequestSize_AboveTheChannels_TheChannelsIsTold()
    {
        var settings = _settings with
        {
            TransportLimits = _settings.TransportLimits with { MaxMessageSizeBytes = 1024 * 1024 },
            PkiPath = Path.Combine(_folder, "other"),
        };
        var parts = new GatewayParts(settings, TimeProvider.System, NullLoggerFactory.Instance);
        try
        {
            Assert.Equal(1024 * 1024, parts.Server.Limits.MaxRequestMessageSizeBytes);
        }
        finally
        {
            parts.DisposeAsync().AsTask().GetAwaiter().GetResult();
        }
    }

    private HashSet<NodeHandle> Below(NodeId root)
    {
        var found = new HashSet<NodeHandle>();
        var open = new Queue<NodeHandle>([_parts.Nodes.Find(root)]);
        while (open.TryDequeue(out var node))
        {
            foreach (var reference in _parts.Nodes.References(node))
            {
                var isChild = reference.IsForward && _parts.Nodes.GetNodeClass(reference.Target) is
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
