using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Events;
using Gateway.Events.Conditions;
using Gateway.Events.Delivery;
using Gateway.Events.Model;
using Gateway.Sources.OpcUa.Drift;
using Gateway.Sources.OpcUa.Namespaces;
using Gateway.Sources.OpcUa.Sessions;
using Gateway.Sources.Upstreams;
using Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Sources.OpcUa.Tests.Support;

/// <summary>A gateway's nodes and values with one upstream in memory behind them.</summary>
internal sealed class UpstreamFixture : IAsyncDisposable, IInterestListener
{
    private UpstreamConnector? _connector;

    public UpstreamFixture(
        UpstreamLimits? limits = null, string? recordsPath = null, bool events = false, string? models = null)
    {
        Nodes = new NodeTable();
        Values = new ValueStore(Time);
        StandardNodes.Load(Nodes, Values);
        Nodes.Namespaces.GetOrAdd("urn:gateway:own");
        Values.Listen(this);
        Hub = new EventHub(Nodes, Values, new EventMaker(Nodes, Time), new EventHubLimits(), Time);
        Conditions = new MirroredConditions(Hub, Nodes, new ConditionLimits(), Time);
        Limits = limits ?? UpstreamLimits.Default;
        var records = new NamespaceRecords(recordsPath, ["A"], Limits, NullLogger.Instance);
        Context = new UpstreamContext(
            Nodes, Values, new NamespaceClaims(Nodes.Namespaces, Limits, records), new SharedModel(), Limits,
            () => "our certificate", Time, Log)
        {
            Conditions = events ? Conditions : null,
            Drift = new DriftStore(models, Log),
        };
    }

    public static MirroredConditions MakeConditions(NodeTable nodes, ValueStore values, TimeProvider time) => new(
        new EventHub(nodes, values, new EventMaker(nodes, time), new EventHubLimits(), time), nodes,
        new ConditionLimits(), time);

    public ManualTimeProvider Time { get; } = new();

    public NodeTable Nodes { get; }

    public ValueStore Values { get; }

    public SignallingLog Log { get; } = new();

    public FakeUpstream Server { get; } = new();

    public UpstreamLimits Limits { get; }

    public UpstreamContext Context { get; }

    public EventHub Hub { get; }

    public MirroredConditions Conditions { get; }

    public UpstreamSource Source => _connector!.Source;

    public Upstreams.UpstreamReport Report => _connector!.Report;

    /// <summary>As the publish engine does it.</summary>
    public void OnInterest(NodeHandle node, bool wanted) =>
        (Nodes.SourceOf(node) as IInterestSource)?.OnInterest(node, wanted);

    public void OnTimestampInterest(NodeHandle node, bool wanted) =>
        (Nodes.SourceOf(node) as ITimestampSource)?.OnTimestampInterest(node, wanted);

    public UpstreamConnector Start(UpstreamOptions? options = null, IUpstreamConnection? connection = null)
    {
        options ??= new UpstreamOptions { Name = "A", EndpointUrl = "opc.tcp://fake" };
        var root = UpstreamRoots.Add(Nodes, options.Name);
        _connector = new UpstreamConnector(options, connection ?? Server, Context, root, Task.CompletedTask);
        _connector.Start();
        return _connector;
    }

    public NodeHandle Find(string identifier, string uri = "urn:data") =>
        Nodes.Namespaces.TryGetIndex(uri, out var index) ? Nodes.Find(new NodeId(identifier, index)) : default;

    public async Task<DataValue> ReadAsync(NodeHandle node)
    {
        if (Source.TryRead(node, 0, out var value))
            return value;
        var results = new DataValue[1];
        await Source.ReadAsync(new[] { node }, 0, results, default);
        return results[0];
    }

    public async ValueTask DisposeAsync()
    {
        if (_connector is not null)
            await _connector.DisposeAsync();
        Hub.Dispose();
        Log.Dispose();
    }
}
