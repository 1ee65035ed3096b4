using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.PubSub.DataSets;

namespace Gateway.PubSub.Tests.DataSets;

public sealed class DataSetResolverTests
{
    private readonly Plant _plant = new Plant()
        .AddFolder("Line").AddTag("Line.Speed").AddFolder("Line.Press").AddTag("Line.Press.Force")
        .AddProperty("Line.Press.Force.Unit").AddTag("Line.Press.Force.Peak").AddFolder("Line.Oven")
        .AddTag("Line.Oven.Force");

    [Theory]
    [InlineData("ns=1;s=Line.Speed", "Speed")]
    [InlineData("nsu=urn:plant;s=Line.Speed", "Speed")]
    [InlineData("/Objects/1:Line/1:Speed", "Speed")]
    [InlineData("ns=1;s=Line/*", "Speed")]
    [InlineData("/Objects/1:Line/*", "Speed")]
    [InlineData("/Objects/1:Line/1:Press/**", "Force Force.Peak")]
    [InlineData("ns=1;s=Line/**", "Speed Press.Force Oven.Force Press.Force.Peak")]
    [InlineData("ns=1;s=Line.Press.Force.Unit", "Unit")]
    public void Resolve_Pattern_ItsVariables(string pattern, string fields) =>
        Assert.Equal(fields, string.Join(' ', _plant.Resolve(pattern)));

    /// <summary>Others keep their places.</summary>
    [Theory]
    [InlineData("ns=1;s=Nothing", "ns=1;s=Nothing?")]
    [InlineData("nsu=urn:later;s=A", "nsu=urn:later;s=A?")]
    [InlineData("ns=7;s=A", "ns=7;s=A?")]
    [InlineData("/Objects/1:Line/1:Gone", "Gone?")]
    [InlineData("/Objects/1:Gone/1:Gone2", "Gone2?")]
    [InlineData("ns=1;s=Line", "ns=1;s=Line?")]
    public void Resolve_NodeThatIsNoVariable_AFieldWithoutANode(string pattern, string field) =>
        Assert.Equal(
            ["Speed", field, "Force"], _plant.Resolve("ns=1;s=Line.Speed", pattern, "ns=1;s=Line.Press.Force"));

    [Theory]
    [InlineData("ns=1;s=Nothing/**")]
    [InlineData("/Objects/1:Gone/*")]
    public void Resolve_BelowANodeThatIsNotThere_Nothing(string pattern) => Assert.Empty(_plant.Resolve(pattern));

    [Fact]
    public void Resolve_NodeOfTwoPatterns_OneField() => Assert.Equal(
        ["Speed", "Press.Force", "Oven.Force", "Press.Force.Peak"],
        _plant.Resolve("ns=1;s=Line.Speed", "/Objects/1:Line/1:Speed", "ns=1;s=Line/**"));

    [Fact]
    public void Resolve_EqualNames_Numbered()
    {
        _plant.AddTag("Force_2");

        Assert.Equal(
            ["Force", "Force_2", "Force_2_2"],
            _plant.Resolve("ns=1;s=Line.Press.Force", "ns=1;s=Line.Oven.Force", "ns=1;s=Force_2"));
    }

    /// <summary>R36: as one that is not there.</summary>
    [Fact]
    public void Resolve_HiddenNode_AsOneThatIsNotThere()
    {
        _plant.AddTag("Line.Secret", isHidden: true);

        Assert.Equal(["ns=1;s=Line.Secret?"], _plant.Resolve("ns=1;s=Line.Secret"));
        Assert.Equal(["Secret?"], _plant.Resolve("/Objects/1:Line/1:Secret"));
        Assert.Equal(["Speed"], _plant.Resolve("ns=1;s=Line/*"));
    }

    [Fact]
    public void Resolve_Loop_Ends()
    {
        _plant.Nodes.Apply(new NodeBatch().AddReference(
            Plant.IdOf("Line.Press"), new NodeId(StandardIds.ReferenceTypes.Organizes), Plant.IdOf("Line")));

        Assert.Equal(4, _plant.Resolve("ns=1;s=Line/**").Length);
    }

    [Fact]
    public void Resolve_MoreThanTheLimit_TheRestIsCounted()
    {
        var plant = new Plant(new PubSubLimits { MaxPubSubFields = 2 }).AddTag("A").AddTag("B").AddTag("C");
        var patterns = new[] { "ns=1;s=A", "ns=1;s=B", "ns=1;s=C" }.Select(one => NodePattern.Parse(one)!);

        var fields = plant.Resolver.Resolve(Plant.Publisher, [.. patterns], out var refused);

        Assert.Equal((2, 1), (fields.Count, refused));
    }

    [Fact]
    public void Resolve_MoreNodesThanItMayVisit_StopsThere()
    {
        var plant = new Plant(new PubSubLimits { MaxPubSubNodesVisited = 1 })
            .AddFolder("Line").AddFolder("Line.Press").AddTag("Line.Speed").AddTag("Line.Press.Force");

        Assert.Equal(["Speed"], plant.Resolve("ns=1;s=Line/**"));
    }
}
