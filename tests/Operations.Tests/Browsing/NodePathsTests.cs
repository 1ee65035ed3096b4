using Gateway.Codec.Types;
using Gateway.Operations.Access;

namespace Gateway.Operations.Tests.Browsing;

public sealed class NodePathsTests
{
    private static readonly Caller Observer = TestPlant.CallerOf(Roles.Observer);

    private readonly TestPlant _plant = new TestPlant()
        .Folder("Plant").Folder("Plant.A/B", "Plant").Tag("Plant.A/B.Speed", "Plant.A/B")
        .Folder("Secret", only: StandardIds.Objects.WellKnownRole_Engineer).Tag("Secret.Open", "Secret");

    [Fact]
    public void PathOf_ANodeOfThePlant_NamesEachWithItsNamespaceAndEscapes() =>
        Assert.Equal(
            $"/Objects/{_plant.Namespace}:Plant/{_plant.Namespace}:A&/B/{_plant.Namespace}:Speed",
            _plant.Paths.PathOf(Observer, _plant["Plant.A/B.Speed"]));

    [Fact]
    public void PathOf_RootAndAType_AreBelowRoot()
    {
        var (root, type) = (_plant.Nodes.Find(new NodeId(StandardIds.Objects.RootFolder)),
            _plant.Nodes.Find(new NodeId(StandardIds.ObjectTypes.FolderType)));

        Assert.Equal("/", _plant.Paths.PathOf(Observer, root));
        Assert.Equal("/Types/ObjectTypes/BaseObjectType/FolderType", _plant.Paths.PathOf(Observer, type));
    }

    [Fact]
    public void PathOf_BelowANodeThatTheCallerDoesNotSee_IsNoneForHimOnly()
    {
        Assert.Null(_plant.Paths.PathOf(Observer, _plant["Secret.Open"]));
        Assert.Equal(
            $"/Objects/{_plant.Namespace}:Secret/{_plant.Namespace}:Open",
            _plant.Paths.PathOf(TestPlant.CallerOf(Roles.Engineer), _plant["Secret.Open"]));
    }

    [Fact]
    public void PathOf_ACircleOfReferences_IsNone()
    {
        _plant.Folder("X", "Secret");
        _plant.Nodes.Apply(new Gateway.AddressSpace.Nodes.NodeBatch()
            .AddNode(new Gateway.AddressSpace.Nodes.NodeDefinition
            {
                NodeId = _plant.Id("Y"),
                NodeClass = Codec.Structures.NodeClass.Object,
                BrowseName = new QualifiedName("Y", _plant.Namespace),
            })
            .AddReference(_plant.Id("X"), new NodeId(StandardIds.ReferenceTypes.Organizes), _plant.Id("Y"))
            .AddReference(_plant.Id("Y"), new NodeId(StandardIds.ReferenceTypes.Organizes), _plant.Id("X")));

        Assert.Null(_plant.Paths.PathOf(Observer, _plant["Y"]));
    }
}
