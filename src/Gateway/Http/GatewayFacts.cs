using System.Globalization;
using System.Runtime.InteropServices;
using Gateway.AddressSpace.Nodes;
using Gateway.Admission;
using Gateway.Admission.Explain;
using Gateway.Admission.Stages;
using Gateway.Host.Configuration;
using Gateway.Host.Hosting;
using Gateway.Host.Reloading;
using Gateway.Publish;
using Gateway.Rest.Management;
using Gateway.Server;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using TransportContext = Gateway.Transport.Hosting.TransportContext;

namespace Gateway.Host.Http;

/// <summary>The gateway as a whole, for its operators. Threads: any.</summary>
internal sealed class GatewayFacts(
    ConfigurationControl control, LimitTable limits, AdmissionExplainer explainer, GatewayServer server,
    UaTcpConnectionHandler connections, TransportContext transport, PublishEngine publishing, NodeTable nodes,
    OpcUaOptions opcUa, ApplicationCertificate certificate, DemoOptions demo) : IGatewayFacts
{
    private volatile Shown? _shown;

    /// <summary>The table of one state: made when somebody asks.</summary>
    private sealed record Shown(ConfigurationState State, IReadOnlyList<ConfigurationValue> Values);

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

    public IReadOnlyList<ConfigurationValue> Configuration
    {
        get
        {
            var state = control.State;
            if (_shown is { } shown && ReferenceEquals(shown.State, state))
                return shown.Values;
            shown = new(state, ConfigurationTable.Read(state));
            _shown = shown;
            return shown.Values;
        }
    }

    public IReadOnlyList<LimitValue> ReadLimits()
    {
        var inForce = explainer.InForceByName;
        var uses = Uses();
        return [.. limits.ByName.Select(one => ValueOf(one.Key, one.Value, inForce, uses))];
    }

    /// <summary>Those that bound something held, with its amount.</summary>
    public IEnumerable<(string Name, double Use, double Limit)> UsedLimits()
    {
        var inForce = explainer.InForceByName;
        foreach (var (name, use) in Uses())
        {
            var limit = inForce.GetValueOrDefault(name, limits.ByName[name]);
            yield return (name, use, Convert.ToDouble(limit, CultureInfo.InvariantCulture));
        }
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
            Origin = ConfigurationTable.OriginOf(control.State.InForce, $"{LimitsReader.Section}:{name}").Origin,
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
        var (admission, counters, durable) = (transport.Admission, publishing.Counters, publishing.DurableUse);
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
            [nameof(PublishLimits.MaxDurableSubscriptions)] = durable.Subscriptions,
            [nameof(PublishLimits.MaxDurableMonitoredItems)] = durable.Items,
            [nameof(PublishLimits.MaxDurableBytes)] = durable.Bytes,
            [nameof(AdmissionLimits.MaxHttpConnections)] = admission.Http.Count,
            [nameof(AdmissionLimits.MaxWaitingConnections)] = admission.Door.Waiting,
            [nameof(AdmissionLimits.MaxKnownCertificates)] = admission.Known.Count,
        };
    }
}
