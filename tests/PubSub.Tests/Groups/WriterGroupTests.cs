using Gateway.Codec.Types;
using Gateway.PubSub.Options;
using Gateway.PubSub.Tests.DataSets;
using Gateway.Testing;

namespace Gateway.PubSub.Tests.Groups;

public sealed class WriterGroupTests
{
    private static readonly DataSetOptions Ab = new()
    {
        Name = "ab",
        Nodes = ["ns=1;s=A", "ns=1;s=B"],
        KeyFrameCount = 3,
    };

    private readonly Plant _plant = new Plant().AddTag("A").AddTag("B").AddTag("C");

    public WriterGroupTests()
    {
        _plant.Set("A", 1);
        _plant.Set("B", 2);
    }

    [Fact]
    public async Task Group_Starts_MetaDataThenAKeyFrame()
    {
        await using var house = new GroupHouse(_plant).Start(Ab);

        Assert.Equal("1 KeyFrame 0 0=1 1=2", await house.Output.MessageAsync());
        var metaData = Assert.Single(house.Output.Announcements());
        Assert.Equal(["A", "B"], metaData.Writer.MetaData.Fields!.Select(field => field.Name));
    }

    [Fact]
    public async Task Group_Changes_EachInAMessageInOrder()
    {
        await using var house = new GroupHouse(_plant).Start(Ab);
        await house.Output.MessageAsync();

        const int Last = 50;
        for (var i = 1; i <= Last; i++)
            _plant.Set("A", 100 + i);
        var seen = new List<string>();
        while (seen.Count < Last)
            seen.Add(await house.Output.MessageAsync());

        Assert.Equal(Enumerable.Range(1, Last).Select(i => $"1 DeltaFrame {i} 0={100 + i}"), seen);
        Assert.Equal(0, house.Group.Report().Skipped);
    }

    [Fact]
    public async Task Group_MoreChangesThanMayWait_OldestAreSkippedAndCounted()
    {
        const int Changes = 5;
        await using var house = new GroupHouse(_plant)
        {
            Limits = new PubSubLimits { MaxPubSubQueuedChanges = 2 },
            BeforeTheEngine = () =>
            {
                for (var i = 1; i <= Changes; i++)
                    _plant.Set("A", 100 + i);
            },
        }.Start(Ab);

        Assert.Equal("1 KeyFrame 0 0=104 1=2", await house.Output.MessageAsync());
        Assert.Equal("1 DeltaFrame 1 0=105", await house.Output.MessageAsync());
        Assert.True(house.Group.Report().Skipped > 0);
    }

    /// <summary>As where the engine has no room for a while.</summary>
    [Fact]
    public async Task Group_FieldsAreRefused_TriedAgain()
    {
        await using var house = new GroupHouse(_plant) { Rights = StatusCodes.BadTooManyMonitoredItems }.Start(Ab);
        Assert.Equal(2, house.Group.Report().RefusedFields);

        house.Rights = StatusCode.Good;
        house.Interval(10);

        Assert.Equal(0, house.Group.Report().RefusedFields);
        _plant.Set("A", 7);
        while (!(await house.Output.MessageAsync()).EndsWith(" 0=7", StringComparison.Ordinal))
            continue;
    }

    /// <summary>Without a key nothing leaves, also not in clear.</summary>
    [Fact]
    public async Task Group_Hindered_ChangesAreCountedAndTheNextMessageHasAll()
    {
        await using var house = new GroupHouse(_plant).Start(Ab);
        await house.Output.MessageAsync();
        house.Message.Obstacle = "there is no key";

        _plant.Set("A", 100);
        await house.Message.Hindered.WaitAsync(Patience.Limit);
        house.Interval(5);
        Assert.Empty(house.Output.Messages());
        Assert.Equal("there is no key", house.Group.Report().Hindrance);
        house.Message.Obstacle = null;
        _plant.Set("B", 200);

        // The number that is missing tells a subscriber of the one that was lost.
        Assert.Equal("1 KeyFrame 2 0=100 1=200", await house.Output.MessageAsync());
        Assert.Equal((1, null), (house.Group.Report().Lost, house.Group.Report().Hindrance));
    }

    [Fact]
    public async Task Group_NothingChanges_KeyFramesAndKeepAlives()
    {
        await using var house = new GroupHouse(
            _plant, null, new WriterGroupOptions { KeepAliveMs = 2000 }).Start(Ab with { KeyFrameCount = 4 });
        await house.Output.MessageAsync();

        house.Interval(8);

        Assert.Equal(
            ["1 KeepAlive 1", "1 KeyFrame 1 0=1 1=2", "1 KeepAlive 2", "1 KeyFrame 2 0=1 1=2"],
            house.Output.Messages());
    }

    [Fact]
    public async Task Group_NoField_KeepAlivesAndItsMetaDataOnce()
    {
        await using var house = new GroupHouse(
            _plant, null, new WriterGroupOptions { KeepAliveMs = 2000 })
            .Start(new DataSetOptions { Name = "none", Nodes = ["ns=1;s=Nothing/**"] });

        house.Interval(4);

        Assert.Equal(["1 KeepAlive 0", "1 KeyFrame 0", "1 KeepAlive 1"], house.Output.Messages());
        Assert.Single(house.Output.Announcements());
    }

    [Fact]
    public async Task Group_NodeComes_NewMetaDataThenAKeyFrameWithIt()
    {
        _plant.AddFolder("Line");
        await using var house = new GroupHouse(_plant)
            .Start(new DataSetOptions { Name = "line", Nodes = ["ns=1;s=A", "ns=1;s=Line/**"] });
        Assert.Equal("1 KeyFrame 0 0=1", await house.Output.MessageAsync());
        house.Output.Announcements();

        _plant.AddTag("Line.X");
        _plant.Set("Line.X", 9);
        house.Interval();

        Assert.Equal(
            ["A", "X"],
            Assert.Single(house.Output.Announcements()).Writer.MetaData.Fields!.Select(field => field.Name));
        string message;
        do
            message = await house.Output.MessageAsync();
        while (!message.Contains("1=9", StringComparison.Ordinal));
        Assert.DoesNotContain("0=Bad", message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Group_NodeGoes_KeyFrameWithoutItAndNoLateValue()
    {
        await using var house = new GroupHouse(_plant).Start(Ab with { Nodes = ["ns=1;s=A", "ns=1;s=B"] });
        await house.Output.MessageAsync();

        _plant.Remove("A");
        house.Interval();

        string message;
        do
            message = await house.Output.MessageAsync();
        while (!message.Contains("KeyFrame", StringComparison.Ordinal));
        Assert.EndsWith("0=BadNodeIdUnknown 1=2", message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Group_FrameLargerThanAMessage_HalvesThatHaveAllFields()
    {
        var nodes = Enumerable.Range(0, 10).Select(i => $"T{i}").ToList();
        for (var i = 0; i < nodes.Count; i++)
        {
            _plant.AddTag(nodes[i]);
            _plant.Set(nodes[i], i);
        }

        await using var house = new GroupHouse(_plant, new TextMessageWriter(maxFields: 4))
            .Start(new DataSetOptions { Name = "many", Nodes = [.. nodes.Select(one => "ns=1;s=" + one)] });

        Assert.Equal("1 DeltaFrame 0 0=0 1=1", await house.Output.MessageAsync());
        Assert.Equal("1 DeltaFrame 1 2=2 3=3 4=4", await house.Output.MessageAsync());
        Assert.Equal("1 DeltaFrame 2 5=5 6=6", await house.Output.MessageAsync());
        Assert.Equal("1 DeltaFrame 3 7=7 8=8 9=9", await house.Output.MessageAsync());
    }

    /// <summary>A subscriber learns that there was a value; the numbers have no hole.</summary>
    [Fact]
    public async Task Group_ValueThatFitsNoMessage_ItsStatusAlone()
    {
        await using var house = new GroupHouse(_plant, new TextMessageWriter { TooLarge = 7 }).Start(Ab);
        await house.Output.MessageAsync();

        _plant.Set("A", 7);
        Assert.Equal("1 DeltaFrame 1 0=BadEncodingLimitsExceeded", await house.Output.MessageAsync());
        _plant.Set("A", 8);
        Assert.Equal("1 DeltaFrame 2 0=8", await house.Output.MessageAsync());
        Assert.Equal(1, house.Group.Report().TooLarge);
    }

    /// <summary>The message is lost, nothing else; no value of it comes later in another's place.</summary>
    [Fact]
    public async Task Group_FaultInOneMessage_TheNextIsWhole()
    {
        await using var house = new GroupHouse(_plant, new TextMessageWriter { Fault = 7 }).Start(Ab);
        await house.Output.MessageAsync();

        _plant.Set("A", 7);
        await house.Message.Faulted.WaitAsync(Patience.Limit);
        _plant.Set("B", 3);

        Assert.Equal("1 DeltaFrame 1 1=3", await house.Output.MessageAsync());
        Assert.Equal(1, house.Group.Counters.Faults);
    }

    [Fact]
    public async Task Group_Batched_AllWritersInOneMessage()
    {
        _plant.Set("C", 3);
        await using var house = new GroupHouse(_plant, null, new WriterGroupOptions { Batched = true }).Start(
            Ab, new DataSetOptions { Name = "c", Nodes = ["ns=1;s=C"] });

        Assert.Equal("1 KeyFrame 0 0=1 1=2; 2 KeyFrame 0 0=3", await house.Output.MessageAsync());
    }

    [Fact]
    public async Task Group_OutputTakesNothing_IsCountedAndGoesOn()
    {
        await using var house = new GroupHouse(_plant).Start(Ab);
        await house.Output.MessageAsync();
        house.Output.IsFull = true;
        _plant.Set("A", 5);
        await house.Output.Refused.WaitAsync(Patience.Limit);
        house.Output.IsFull = false;

        _plant.Set("A", 6);

        // The number that is missing says so.
        Assert.Equal("1 DeltaFrame 2 0=6", await house.Output.MessageAsync());
    }

    [Fact]
    public async Task Group_Ends_LastChangesAreSentAndValuesGivenBack()
    {
        var held = Held;
        await using (var house = new GroupHouse(_plant).Start(Ab))
        {
            await house.Output.MessageAsync();
            for (var i = 0; i < 20; i++)
                _plant.Set("A", 100 + i);
            await house.Group.DisposeAsync();

            Assert.Equal(
                Enumerable.Range(0, 20).Select(i => $"1 DeltaFrame {i + 1} 0={100 + i}"), house.Output.Messages());
        }

        Assert.Equal(held, Held);
    }

    /// <summary>Values that somebody has a reference to; the store has the present ones.</summary>
    private long Held => _plant.Values.CreatedValues - _plant.Values.IdleValues - _plant.Values.DiscardedValues;
}
