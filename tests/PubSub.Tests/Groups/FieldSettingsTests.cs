using Gateway.PubSub.DataSets;
using Gateway.PubSub.Options;
using Gateway.PubSub.Tests.DataSets;

namespace Gateway.PubSub.Tests.Groups;

/// <summary>Fields with settings of their own beside others of the same data set.</summary>
public sealed class FieldSettingsTests
{
    private readonly Plant _plant = new Plant().AddFolder("Line").AddTag("Line.A").AddTag("Line.B").AddTag("Line.C");

    public FieldSettingsTests()
    {
        foreach (var name in new[] { "A", "B", "C" })
            _plant.Set($"Line.{name}", 1);
    }

    [Fact]
    public void Fields_ComeFirst_AndNodesLeaveThemOut()
    {
        using var dataSet = _plant.Publish(new DataSetOptions
        {
            Name = "line",
            Nodes = ["ns=1;s=Line/*"],
            Fields = [new FieldOptions { Node = "ns=1;s=Line.C", Name = "third" }, new() { Node = "ns=1;s=Gone" }],
        });

        Assert.Equal(["third", "ns=1;s=Gone", "A", "B"], dataSet.Layout.Fields.Select(static one => one.Name));
    }

    /// <summary>A has the data set's deadband, B its own, C none.</summary>
    [Fact]
    public async Task Deadband_OfAField_InPlaceOfTheDataSets()
    {
        await using var house = new GroupHouse(_plant).Start(new DataSetOptions
        {
            Name = "line",
            Nodes = ["ns=1;s=Line/*"],
            Deadband = 10,
            KeyFrameCount = 1000,
            Fields =
            [
                new FieldOptions { Node = "ns=1;s=Line.B", Deadband = 100 },
                new FieldOptions { Node = "ns=1;s=Line.C", Deadband = 0 },
            ],
        });
        Assert.Equal("1 KeyFrame 0 0=1 1=1 2=1", await house.Output.MessageAsync());

        // Of A and B these are within their deadbands; the change of C behind them says that they were left out.
        _plant.Set("Line.A", 6);
        _plant.Set("Line.B", 60);
        _plant.Set("Line.C", 2);
        Assert.Equal("1 DeltaFrame 1 1=2", await house.Output.MessageAsync());
        _plant.Set("Line.A", 20);
        Assert.Equal("1 DeltaFrame 2 2=20", await house.Output.MessageAsync());
        _plant.Set("Line.B", 200);
        Assert.Equal("1 DeltaFrame 3 0=200", await house.Output.MessageAsync());
    }

    [Fact]
    public void Settings_Change_TheVersionStays()
    {
        var options = new DataSetOptions { Name = "line", Fields = [new FieldOptions { Node = "ns=1;s=Line.A" }] };
        using var before = _plant.Publish(options);
        var known = before.Layout;
        using var after = new PublishedDataSet(
            options with { Fields = [options.Fields[0] with { Deadband = 5 }] }, _plant.Resolver, _plant.Nodes,
            Plant.Publisher, _plant.Time, before: known);

        Assert.Equal(5, after.Layout.Fields[0].Options!.Deadband);
        Assert.Same(known.MetaData, after.Layout.MetaData);
    }

    [Theory]
    [InlineData("DataSets:0:Fields:0:Node", "", 0, 0)]
    [InlineData("DataSets:0:Fields:0:Node", "ns=1;s=Line/*", 0, 0)]
    [InlineData("DataSets:0:Fields:0:Deadband", "ns=1;s=A", -1, 0)]
    [InlineData("DataSets:0:Fields:0:SamplingIntervalMs", "ns=1;s=A", 0, -1)]
    public void Validate_Mistake_IsToldAtItsKey(string key, string node, double deadband, double sampling)
    {
        var options = new PubSubOptions
        {
            DataSets =
            [
                new DataSetOptions
                {
                    Name = "line",
                    Fields = [new FieldOptions { Node = node, Deadband = deadband, SamplingIntervalMs = sampling }],
                },
            ],
        };

        Assert.StartsWith($"PubSub:{key}: ", Assert.Single(options.Validate("PubSub")), StringComparison.Ordinal);
    }
}
