using System.Runtime.InteropServices;
using Gateway.AddressSpace.Nodes;
using Gateway.Admission;
using Gateway.Admission.Explain;
using Gateway.Admission.Stages;
using Gateway.Host.Configuration;
using Gateway.Host.Hosting;
using Gateway.Publish;
using Gateway.Rest.Management;
using Gateway.Server;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using TransportContext = Gateway.Transport.Hosting.TransportContext;

namespace Gateway.Host.Http;

/// <summary>The gateway as a whole, for its operators. Threads: any.</summary>
internal sealed class GatewayFacts(
    ConfigurationLayers layers, LimitTable limits, AdmissionExplainer explainer, GatewayServer server,
    UaTcpConnectionHandler connections, TransportContext transport, PublishEngine publishing, NodeTable nodes,
    OpcUaOptions opcUa, ApplicationCertificate certificate, DemoOptions demo) : IGatewayFacts
{
    private readonly Lazy<IReadOnlyList<ConfigurationValue>> _configuration =
        new(() => ConfigurationTable.Read(layers));

    public bool IsDemo => demo.IsDemo;

    public GatewayInfo Info => new()
    {
        Product = "OPC UA Gateway",
        Version = ProductVersion.Text,
        ApplicationName = opcUa.ApplicationName,
        ApplicationUri = certificate.ApplicationUri,
        StartTime = server.StartTime,
        Runtime = RuntimeInformation.FrameworkDescription,
        OperatingSystem = RuntimeInformation.OSDescription,
        Processors = Environment.ProcessorCount,
        IsDemo = demo.IsDemo,
        Namespaces = nodes.Namespaces.Uris,
        Endpoints = server.DescribeEndpoints(),
    };

    public IReadOnlyList<ConfigurationValue> Configuration => _configuration.Value;

    public IReadOnlyList<LimitValue> ReadLimits()
    {
        var inForce = explainer.InForceByName;
        var uses = Uses();
        return [.. limits.ByName.Select(one => ValueOf(one.Key, one.Value, inForce, uses))];
    }

    private LimitValue ValueOf(
        string name, object configured, IReadOnlyDictionary<string, object> inForce, Dictionary<string, long> uses)
    {
        var words = LimitPage.All[name];
        return new LimitValue
        {
            Name = name,
            Configured = configured,
            InForce = inForce.GetValueOrDefault(name, configured),
            Default = limits.Defaults[name],
            Origin = ConfigurationTable.OriginOf(layers, $"{LimitsReader.Section}:{name}").Origin,
            Part = limits.PartOf[name],
            Bounds = words.Bounds,
            WhenItActs = words.Acts,
            Remedy = words.Remedy,
            Use = uses.TryGetValue(name, out var use) ? use : null,
        };
    }

    /// <summary>Of those that bound something held. For requests: of the session that holds most.</summary>
    private Dictionary<string, long> Uses()
    {
        var (admission, counters) = (transport.Admission, publishing.Counters);
        return new Dictionary<string, long>(StringComparer.Ordinal)
        {
            [nameof(TransportLimits.MaxConnections)] = connections.ConnectionCount,
            [nameof(TransportLimits.MemoryBudgetBytes)] = transport.Budget.TotalBytes,
            [nameof(TransportLimits.MaxPrivateKeyQueueLength)] = transport.PrivateKeys.QueueLength,
            [nameof(ServerLimits.MaxSessions)] = server.SessionCount,
            [nameof(ServerLimits.MaxDecodedBytes)] = server.DecodedBytes,
            [nameof(ServerLimits.MaxPendingRequestsPerSession)] = admission.Stages.Use(AdmissionStage.Request),
            [nameof(PublishLimits.MaxPublishRequestsPerSession)] = admission.Stages.Use(AdmissionStage.Publish),
            [nameof(PublishLimits.MaxSubscriptions)] = counters.Subscriptions,
            [nameof(PublishLimits.MaxMonitoredItems)] = counters.MonitoredItems,
            [nameof(PublishLimits.MaxQueuedValues)] = counters.QueueCapacity,
            [nameof(PublishLimits.MaxRetransmissionBytes)] = counters.RetransmissionBytes,
            [nameof(AdmissionLimits.MaxHttpConnections)] = admission.Http.Count,
            [nameof(AdmissionLimits.MaxWaitingConnections)] = admission.Door.Waiting,
            [nameof(AdmissionLimits.MaxKnownCertificates)] = admission.Known.Count,
        };
    }
}
