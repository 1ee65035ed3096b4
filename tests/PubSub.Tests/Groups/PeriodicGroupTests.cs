using Gateway.PubSub.Options;
using Gateway.PubSub.Tests.DataSets;
using Gateway.Testing;

namespace Gateway.PubSub.Tests.Groups;

/// <summary>A group of the layout Periodic-Fixed: a subscriber finds each writer at its place in a message.</summary>
public sealed class PeriodicGroupTests
{
    private static readonly DataSetOptions Ab = new() { Name = "ab", Nodes = ["ns=1;s=A", "ns=1;s=B"] };
    private static readonly DataSetOptions C = new() { Name = "c", Nodes = ["ns=1;s=C"] };
    private static readonly WriterGroupOptions Periodic = new()
    {
        Encoding = "uadp",
        HeaderLayout = "periodic-fixed",
    };

    private readonly Plant _plant = new Plant().AddTag("A").AddTag("B").AddTag("C");

    public PeriodicGroupTests()
    {
        _plant.Set("A", 1);
        _plant.Set("B", 2);
        _plant.Set("C", 3);
    }

    [Fact]
    public async Task Group_OneChanges_AllWritersEachWithAllFields()
    {
        await using var house = new GroupHouse(_plant, null, Periodic).Start(Ab, C);
        Assert.Equal("1 KeyFrame 0 0=1 1=2; 2 KeyFrame 0 0=3", await house.Output.MessageAsync());

        _plant.Set("C", 4);
        Assert.Equal("1 KeyFrame 1 0=1 1=2; 2 KeyFrame 1 0=4", await house.Output.MessageAsync());
    }

    /// <summary>No change is lost: each has a message, with the others' last values.</summary>
    [Fact]
    public async Task Group_FieldChangesTwice_TwoMessages()
    {
        await using var house = new GroupHouse(_plant, null, Periodic)
        {
            BeforeTheEngine = () =>
            {
                _plant.Set("A", 5);
                _plant.Set("A", 6);
            },
        }.Start(Ab, C);

        var seen = new List<string>();
        while (seen.Count == 0 || !seen[^1].Contains("0=6", StringComparison.Ordinal))
            seen.Add(await house.Output.MessageAsync());

        Assert.Contains(seen, static one => one.Contains("0=5", StringComparison.Ordinal));
        Assert.All(seen, static one => Assert.Contains("; 2 KeyFrame", one, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Group_NothingChanges_AMessageEachInterval()
    {
        await using var house = new GroupHouse(_plant, null, Periodic).Start(Ab, C);
        await house.Output.MessageAsync();

        house.Interval(2);

        Assert.Equal(
            ["1 KeyFrame 1 0=1 1=2; 2 KeyFrame 1 0=3", "1 KeyFrame 2 0=1 1=2; 2 KeyFrame 2 0=3"],
            house.Output.Messages());
    }

    /// <summary>A message without one of its writers would have another in its place.</summary>
    [Fact]
    public async Task Group_AWriterDoesNotFit_NoMessageAndCounted()
    {
        await using var house = new GroupHouse(_plant, new TextMessageWriter { TooLarge = 7 }, Periodic).Start(Ab, C);
        await house.Output.MessageAsync();

        _plant.Set("A", 7);
        using (CancellationTokenSource patience = new(Patience.Limit))
        {
            while (house.Group.Report().Lost == 0)
                patience.Token.ThrowIfCancellationRequested();
        }

        _plant.Set("A", 8);

        Assert.Equal("1 KeyFrame 2 0=8 1=2; 2 KeyFrame 2 0=3", await house.Output.MessageAsync());
        Assert.Equal(1, house.Group.Report().Lost);
        Assert.True(house.Group.Report().TooLarge > 0);
    }

    [Fact]
    public async Task Group_FieldWithoutAForm_IsHinderedInWords()
    {
        await using var house = new GroupHouse(_plant, null, Periodic).Start(
            new DataSetOptions { Name = "gone", Nodes = ["ns=1;s=A", "ns=1;s=Nowhere"] });

        house.Interval();

        Assert.Empty(house.Output.Messages());
        Assert.Equal(
            "RawData has no form for the field 'ns=1;s=Nowhere' of 'gone'", house.Group.Report().Hindrance);
    }
}
