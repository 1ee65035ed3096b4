using System.Net;
using System.Net.Sockets;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Model;
using Gateway.Publish;

namespace Gateway.Tests.Rest;

/// <summary>A gateway with three sources of events, an active alarm of each, and a publisher of events: one source for
/// everybody, one for operators and engineers, one for engineers.</summary>
public sealed class EventRightsFixture : IAsyncLifetime, IDisposable
{
    /// <summary>The last event of a round, of the gateway itself: all before it have come.</summary>
    public const string Marker = "told-last";

    /// <summary>The names of the sources, and the texts of their events and alarms.</summary>
    public static readonly string[] Sources = ["told-everybody", "told-operators", "told-engineers"];

    private const string Prefix = "--PubSub:Connections:0:";
    private const string Writers = Prefix + "WriterGroups:0:";

    private static readonly Dictionary<string, uint[]> Roles = new()
    {
        ["told-operators"] =
            [StandardIds.Objects.WellKnownRole_Operator, StandardIds.Objects.WellKnownRole_Engineer],
        ["told-engineers"] = [StandardIds.Objects.WellKnownRole_Engineer],
    };

    private readonly UdpClient _datagrams = new(new IPEndPoint(IPAddress.Loopback, 0));

    internal RestGateway Gateway { get; private set; } = null!;

    internal UdpClient Datagrams => _datagrams;

    private PublishEngine Engine => Gateway.Host.Get<PublishEngine>();

    public async Task InitializeAsync()
    {
        var port = ((IPEndPoint)_datagrams.Client.LocalEndPoint!).Port;
        Gateway = await RestGateway.StartAsync(
            "--PubSub:PublisherId=7", "--PubSub:DataSets:0:Name=events", "--PubSub:DataSets:0:EventNotifier=i=2253",
            "--PubSub:DataSets:0:EventFields:0=message", "--PubSub:DataSets:0:EventFields:1=sourceName",
            Prefix + "Name=udp", Prefix + $"Address=opc.udp://127.0.0.1:{port}", Prefix + "PublisherIdType=UInt16",
            Writers + "Name=g", Writers + "WriterGroupId=7", Writers + "Encoding=uadp",
            Writers + "PublishingIntervalMs=50", Writers + "DataSetWriters:0:Name=w",
            Writers + "DataSetWriters:0:DataSetWriterId=1", Writers + "DataSetWriters:0:DataSet=events");
        var batch = new NodeBatch();
        foreach (var name in Sources)
            batch
                .AddNode(new NodeDefinition
                {
                    NodeId = new NodeId(name, 2),
                    NodeClass = NodeClass.Object,
                    BrowseName = new QualifiedName(name, 2),
                    EventNotifier = EventNotifierType.SubscribeToEvents,
                    HasOwnEvents = true,
                    RolePermissions = Roles.GetValueOrDefault(name)?.Select(static role => new RolePermissionType
                    {
                        RoleId = new NodeId(role),
                        Permissions = PermissionType.Browse | PermissionType.ReceiveEvents | PermissionType.Call,
                    }).ToArray(),
                })
                .AddReference(
                    new NodeId(StandardIds.Objects.Server), new NodeId(StandardIds.ReferenceTypes.HasNotifier),
                    new NodeId(name, 2));
        Gateway.Host.Get<NodeTable>().Apply(batch);
        foreach (var name in Sources)
            Engine.Conditions.Report(
                new ConditionDefinition
                {
                    ConditionId = new NodeId("Alarms/" + name, 1),
                    Layout = ConditionLayouts.SystemOffNormal,
                    ConditionName = name,
                    Source = new NodeId(name, 2),
                    SourceName = name,
                },
                isActive: true, 650, name + "-alarm");
    }

    public void Dispose() => _datagrams.Dispose();

    public async Task DisposeAsync()
    {
        await Gateway.DisposeAsync();
        Dispose();
    }

    /// <summary>An event of each source, and the marker behind them.</summary>
    internal void Raise()
    {
        var nodes = Gateway.Host.Get<NodeTable>();
        foreach (var name in Sources)
            Engine.Events.Raise(Engine.Events.Maker.Make(
                StandardEvents.SystemEvent, nodes.Find(new NodeId(name, 2)), name, name + "-event", 500));
        Engine.Events.Raise(Engine.Events.Maker.Make(StandardEvents.SystemEvent, default, "Server", Marker, 500));
    }
}
