using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Text;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Text;

/// <summary>The examples of Part 4 Annex A.2 among others.</summary>
public sealed class RelativePathTextTests
{
    private static readonly Dictionary<QualifiedName, NodeId> Types = new()
    {
        [new("HasChild")] = new NodeId(StandardIds.ReferenceTypes.HasChild),
        [new("ConnectedTo", 1)] = new NodeId(10, 1),
        [new("a/b>c", 2)] = new NodeId(11, 2),
    };

    [Theory]
    [InlineData("/2:Block&.Output")]
    [InlineData("/3:Truck.0:NodeVersion", "/3:Truck.NodeVersion")]
    [InlineData("<1:ConnectedTo>1:Boiler/1:HeatSensor")]
    [InlineData("<1:ConnectedTo>1:Boiler/")]
    [InlineData("<0:HasChild>2:Wheel", "<HasChild>2:Wheel")]
    [InlineData("<!HasChild>Truck")]
    [InlineData("<#HasChild>")]
    [InlineData("<#!HasChild>a&:b&&c")]
    [InlineData("<2:a&/b&>c>x")]
    [InlineData("/")]
    [InlineData("/Objects/2:Plant.3:水")]
    [InlineData("/1&:a")]
    public void TryParse_Path_RoundTrips(string text, string? normal = null)
    {
        Assert.True(RelativePathText.TryParse(text, Find, out var path));
        Assert.Equal(normal ?? text, RelativePathText.Format(path, NameOf));
        Assert.True(RelativePathText.TryParse(RelativePathText.Format(path, NameOf), Find, out var again));
        Assert.Null(StructureEquality.Difference(path, again));
    }

    [Theory]
    [InlineData("")]
    [InlineData("Name")]
    [InlineData("//Name")]
    [InlineData("/a/.b")]
    [InlineData("<HasChild")]
    [InlineData("<>x")]
    [InlineData("<Unknown>x")]
    [InlineData("/a&")]
    [InlineData("/a:b")]
    [InlineData("/a#b")]
    [InlineData("/2:")]
    [InlineData("/a>b")]
    public void TryParse_NotAPath_IsFalse(string text) => Assert.False(RelativePathText.TryParse(text, Find, out _));

    [Fact]
    public void TryParse_Elements_HaveTheirTypesAndFlags()
    {
        Assert.True(RelativePathText.TryParse("/2:A.B<#!1:ConnectedTo>", Find, out var path));

        var expected = new RelativePathElement[]
        {
            new()
            {
                ReferenceTypeId = new NodeId(StandardIds.ReferenceTypes.HierarchicalReferences),
                IncludeSubtypes = true,
                TargetName = new QualifiedName("A", 2),
            },
            new()
            {
                ReferenceTypeId = new NodeId(StandardIds.ReferenceTypes.Aggregates),
                IncludeSubtypes = true,
                TargetName = new QualifiedName("B"),
            },
            new() { ReferenceTypeId = new NodeId(10, 1), IsInverse = true },
        };
        Assert.Equal(expected, path.Elements);
    }

    private static NodeId Find(QualifiedName name) => Types.GetValueOrDefault(name);

    private static QualifiedName NameOf(NodeId id) => Types.Single(t => t.Value == id).Key;
}
