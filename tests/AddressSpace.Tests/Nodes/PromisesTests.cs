using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Tests.Nodes;

public sealed class PromisesTests
{
    private const AccessLevelExType Everything = AccessLevelExType.CurrentRead | AccessLevelExType.CurrentWrite |
        AccessLevelExType.HistoryRead | AccessLevelExType.HistoryWrite | AccessLevelExType.StatusWrite;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void HistoryAndEvents_OfAnyNode_AreTold_OnlyOfAModel(bool isModel)
    {
        var nodes = new NodeTable(isModel);
        nodes.Namespaces.GetOrAdd("urn:test");
        var (variable, folder) = (Variable(Everything, historizing: true), Folder(EventNotifierType.SubscribeToEvents));
        nodes.Apply(new NodeBatch().AddNode(variable).AddNode(folder));
        Check(nodes, isModel);
        nodes.Apply(new NodeBatch()
            .Update(nodes.Find(variable.NodeId), variable).Update(nodes.Find(folder.NodeId), folder));
        Check(nodes, isModel);
    }

    /// <summary>The gateway raises events of its own: of the Server object, and of its objects for upstreams.</summary>
    [Fact]
    public void Events_OfANodeWithOwnEvents_AreTold()
    {
        var nodes = new NodeTable();
        nodes.Namespaces.GetOrAdd("urn:test");
        var given = EventNotifierType.SubscribeToEvents | EventNotifierType.HistoryRead;
        nodes.Apply(new NodeBatch().AddNode(Folder(given) with { HasOwnEvents = true }));
        Assert.Equal(1, Read(nodes, 2, AttributeId.EventNotifier).AsInt32());
    }

    private static void Check(NodeTable nodes, bool isModel)
    {
        var history = AccessLevelExType.HistoryRead | AccessLevelExType.HistoryWrite;
        Assert.Equal(
            (uint)(isModel ? Everything : Everything & ~history), Read(nodes, 1, AttributeId.AccessLevelEx).AsUInt32());
        Assert.Equal(isModel, Read(nodes, 1, AttributeId.Historizing).AsBoolean());
        Assert.Equal(isModel ? 1 : 0, Read(nodes, 2, AttributeId.EventNotifier).AsInt32());
    }

    private static Variant Read(NodeTable nodes, uint id, AttributeId attribute)
    {
        Assert.True(nodes.ReadAttribute(nodes.Find(new NodeId(id, 1)), attribute, out var value).IsGood);
        return value;
    }

    private static NodeDefinition Variable(AccessLevelExType level, bool historizing) => new()
    {
        NodeId = new NodeId(1, 1),
        NodeClass = NodeClass.Variable,
        BrowseName = new QualifiedName("V", 1),
        Variable = new VariableFacts(new NodeId(6), AccessLevel: level, Historizing: historizing),
    };

    private static NodeDefinition Folder(EventNotifierType notifier) => new()
    {
        NodeId = new NodeId(2, 1),
        NodeClass = NodeClass.Object,
        BrowseName = new QualifiedName("F", 1),
        EventNotifier = notifier,
    };
}
