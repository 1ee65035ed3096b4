using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Host.Overview;
using Gateway.Publish;
using Gateway.Rest.Overview;
using Gateway.Sources.Upstreams;
using Gateway.Testing;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Tests.Management;

/// <summary>The events beside the alarms of upstreams.</summary>
public sealed class NoticeEventTests : IAsyncLifetime, IAsyncDisposable
{
    private readonly NodeTable _nodes = new();
    private readonly PublishEngine _publishing;
    private readonly NoticeEvents _events;

    public NoticeEventTests()
    {
        var time = new ManualTimeProvider();
        _publishing = new PublishEngine(
            _nodes, new ValueStore(time), PublishLimits.Default, new PlantLateness(), time,
            NullLogger<PublishEngine>.Instance);
        _nodes.Apply(new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = new NodeId(StandardIds.Objects.Server),
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName("Server"),
            EventNotifier = EventNotifierType.SubscribeToEvents,
            HasOwnEvents = true,
        }));
        var filter = _publishing.Events.Take(
            new EventFilter
            {
                SelectClauses =
                [
                    new SimpleAttributeOperand
                    {
                        TypeDefinitionId = new NodeId(StandardIds.ObjectTypes.BaseEventType),
                        BrowsePath = [new QualifiedName("Message")],
                        AttributeId = (uint)AttributeId.Value,
                    },
                ],
            },
            "test").Filter!;
        _publishing.Events.Join(
            filter, _nodes.Find(new NodeId(StandardIds.Objects.Server)),
            _publishing.Events.OpenInbox(100, static () => { }), seesAudit: false);
        _events = new NoticeEvents(_publishing, _nodes);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _publishing.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    /// <summary>R36: perhaps not everybody could see it; the events of the Server object everybody can.</summary>
    [Fact]
    public void OnChange_ObjectOfTheUpstreamIsGone_NothingIsRaised()
    {
        var node = new NodeId("Press", _nodes.Namespaces.GetOrAdd(UpstreamRoots.NamespaceUri));
        _nodes.Apply(new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = node,
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName("Press"),
        }));
        Change("began");
        Assert.Equal(1, _publishing.Events.Raised);
        _nodes.Apply(new NodeBatch().Remove(_nodes.Find(node)));
        Change("ended");
        Assert.Equal(1, _publishing.Events.Raised);
    }

    private void Change(string change) => _events.OnChange(
        new NoticeChange(default, change, new Notice("source", "Press", IsFault: true, "words", "")));
}
