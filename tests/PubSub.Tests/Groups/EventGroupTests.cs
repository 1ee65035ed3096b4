using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Model;
using Gateway.PubSub.DataSets;
using Gateway.PubSub.Options;
using Gateway.PubSub.Tests.DataSets;

namespace Gateway.PubSub.Tests.Groups;

/// <summary>Data sets of events. Source: Part 14 §5.3.2, §6.2.3.8.</summary>
public sealed class EventGroupTests
{
    private static readonly DataSetOptions Alarms = new()
    {
        Name = "alarms",
        EventNotifier = "i=2253",
        EventMinSeverity = 100,
        EventFields = ["severity", "SourceName"],
    };

    private readonly Plant _plant = new Plant().AddTag("A");
    private Action? _raises;

    private long HeldValues =>
        _plant.Values.CreatedValues - _plant.Values.IdleValues - _plant.Values.DiscardedValues;

    [Fact]
    public async Task Group_Events_EachIsAMessageInOrder()
    {
        await using var house = new GroupHouse(_plant).Start(Alarms);
        for (var i = 0; i < 30; i++)
            Raise(house, (ushort)(100 + i), $"pump {i}");
        var seen = new List<string>();
        while (seen.Count < 30)
            seen.Add(await house.Output.MessageAsync());
        Assert.Equal(Enumerable.Range(0, 30).Select(static i => $"1 Event {i} 0={100 + i} 1=pump {i}"), seen);
        Assert.Equal(0, house.Group.Report().Skipped);
    }

    [Fact]
    public async Task Group_Starts_MetaDataHasTheTypesOfTheFields()
    {
        await using var house = new GroupHouse(_plant).Start(Alarms with
        {
            EventFields = ["eventId", "message", "alarm", "active", "Severity", "2:nowhere"],
        });
        var fields = Assert.Single(house.Output.Announcements()).Writer.MetaData.Fields!;
        Assert.Equal(
            ["eventId", "message", "alarm", "active", "Severity", "2:nowhere"], fields.Select(static one => one.Name));
        Assert.Equal(
            [
                BuiltInType.ByteString, BuiltInType.LocalizedText, BuiltInType.NodeId, BuiltInType.Boolean,
                BuiltInType.UInt16, BuiltInType.Variant,
            ],
            fields.Select(static one => (BuiltInType)one.BuiltInType));
        Assert.Equal(-1, fields[4].ValueRank);
        Assert.Equal(-2, fields[5].ValueRank);
    }

    [Fact]
    public async Task Group_TypesAndSeverity_OthersDoNotCome()
    {
        await using var house = new GroupHouse(_plant).Start(Alarms with
        {
            EventTypes = ["DeviceFailureEventType", "i=2052"],
        });
        Raise(house, 900, "another type");
        Raise(house, 99, "too small", StandardEvents.DeviceFailure);
        Raise(house, 100, "right", StandardEvents.DeviceFailure);
        Assert.Equal("1 Event 0 0=100 1=right", await house.Output.MessageAsync());
    }

    /// <summary>There is no last value of an event.</summary>
    [Fact]
    public async Task Group_NothingHappens_KeepAlivesAndNoKeyFrame()
    {
        await using var house = new GroupHouse(
            _plant, options: new WriterGroupOptions { KeepAliveMs = 2000 }).Start(Alarms);
        Raise(house, 500, "one");
        Assert.Equal("1 Event 0 0=500 1=one", await house.Output.MessageAsync());
        house.Interval(3);
        Assert.Equal("1 KeepAlive 1", await house.Output.MessageAsync());
    }

    /// <summary>A field without a value has none, and Good.</summary>
    [Fact]
    public async Task Group_FieldThatTheEventDoesNotHave_IsNull()
    {
        await using var house = new GroupHouse(_plant).Start(Alarms with { EventFields = ["severity", "active"] });
        Raise(house, 500, "one");
        Assert.Equal("1 Event 0 0=500 1=Good", await house.Output.MessageAsync());
    }

    [Fact]
    public async Task Group_BesideValues_BothGoOn()
    {
        _plant.Set("A", 1);
        await using var house = new GroupHouse(_plant).Start(
            Alarms, new DataSetOptions { Name = "tags", Nodes = ["ns=1;s=A"] });
        Assert.Equal("2 KeyFrame 0 0=1", await house.Output.MessageAsync());
        Raise(house, 500, "one");
        Assert.Equal("1 Event 0 0=500 1=one", await house.Output.MessageAsync());
        _plant.Set("A", 2);
        Assert.Equal("2 DeltaFrame 1 0=2", await house.Output.MessageAsync());
    }

    /// <summary>As an upstream's object, which comes and goes.</summary>
    [Fact]
    public async Task Group_NotifierComesLater_ItsEventsCome()
    {
        await using var house = new GroupHouse(_plant).Start(Alarms with { EventNotifier = "ns=1;s=Press" });
        Assert.Equal(0, house.Group.Report().RefusedFields);
        _plant.Nodes.Apply(new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = new NodeId("Press", 1),
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName("Press", 1),
            EventNotifier = EventNotifierType.SubscribeToEvents,
            HasOwnEvents = true,
        }));
        house.Interval();
        house.Events.Raise(house.Events.Maker.Make(
            StandardEvents.SystemEvent, _plant.Nodes.Find(new NodeId("Press", 1)), "press", "words", 500));
        Assert.Equal("1 KeepAlive 0", await house.Output.MessageAsync());
        Assert.Equal("1 Event 0 0=500 1=press", await house.Output.MessageAsync());
    }

    /// <summary>R36: the publisher is any Observer.</summary>
    [Theory]
    [InlineData(StandardIds.Objects.WellKnownRole_Observer, 0)]
    [InlineData(StandardIds.Objects.WellKnownRole_Engineer, 2)]
    public void DataSet_NotifierWithRoles_IsPublishedOnlyWhereAnObserverMayHaveIt(uint role, int missing)
    {
        _plant.Nodes.Apply(new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = new NodeId("Safe", 1),
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName("Safe", 1),
            EventNotifier = EventNotifierType.SubscribeToEvents,
            RolePermissions =
            [
                new RolePermissionType
                {
                    RoleId = new NodeId(role),
                    Permissions = PermissionType.Browse | PermissionType.ReceiveEvents,
                },
            ],
        }));
        using var dataSet = _plant.Publish(Alarms with { EventNotifier = "ns=1;s=Safe" });
        Assert.Equal(missing, dataSet.Report().Missing);
        Assert.Equal(missing > 0, dataSet.Layout.Events!.Notifier.IsNull);
    }

    /// <summary>R44: an upstream may have thousands of types. Each is looked at once, not for each field.</summary>
    [Fact]
    public void DataSet_ManyTypesAndFields_LooksAtEachTypeOnce()
    {
        const int types = 500;
        var batch = new NodeBatch();
        for (var i = 0; i < types; i++)
        {
            var (type, field) = (new NodeId($"T{i}", 1), new NodeId($"T{i}.Batch", 1));
            batch
                .AddNode(new NodeDefinition
                {
                    NodeId = type,
                    NodeClass = NodeClass.ObjectType,
                    BrowseName = new QualifiedName($"T{i}", 1),
                })
                .AddReference(
                    new NodeId(StandardIds.ObjectTypes.BaseEventType),
                    new NodeId(StandardIds.ReferenceTypes.HasSubtype), type)
                .AddNode(new NodeDefinition
                {
                    NodeId = field,
                    NodeClass = NodeClass.Variable,
                    BrowseName = new QualifiedName("Batch", 1),
                })
                .AddReference(type, new NodeId(StandardIds.ReferenceTypes.HasProperty), field);
        }

        _plant.Nodes.Apply(batch);
        var resolver = new EventResolver(_plant.Nodes, _plant.Access);
        var nowhere = Enumerable.Range(0, 200).Select(static i => $"1:Nowhere{i}");
        var fields = resolver.Resolve(
            Plant.Publisher,
            Alarms with
            {
                EventFields = [.. nowhere, "1:Batch/1:Deeper"],
            },
            _plant.Nodes.Find(new NodeId(StandardIds.Objects.Server)), out _);
        Assert.Equal(201, fields.Count);
        Assert.InRange(resolver.Looks, types, 20 * types);
    }

    /// <summary>None of the types is known: not all events instead.</summary>
    [Fact]
    public void DataSet_TypesThatAreNotThere_HasNoEvents()
    {
        using var dataSet = _plant.Publish(Alarms with { EventTypes = ["PressAlarmType"] });
        Assert.True(dataSet.Layout.Events!.Notifier.IsNull);
    }

    /// <summary>Not in halves: a subscriber cannot put an event together.</summary>
    [Fact]
    public async Task Group_EventThatFitsNoMessage_IsCountedAndTheNextComes()
    {
        await using var house = new GroupHouse(_plant, new TextMessageWriter { TooLarge = 666 }).Start(Alarms);
        Raise(house, 666, "large");
        Raise(house, 500, "one");
        // The missing number tells the subscriber of it.
        Assert.Equal("1 Event 1 0=500 1=one", await house.Output.MessageAsync());
        var report = house.Group.Report();
        Assert.Equal((1, 1), (report.TooLarge, report.Lost));
    }

    [Fact]
    public async Task Group_MoreEventsThanMayWait_TheLossIsAnEventAndCounted()
    {
        await using var house = new GroupHouse(_plant)
        {
            Limits = new PubSubLimits { MaxPubSubQueuedChanges = 1 },
            BeforeTheEngine = () => _raises!(),
        };
        _raises = () =>
        {
            for (var i = 0; i < 15; i++)
                Raise(house, (ushort)(200 + i), "pump");
        };
        house.Start(Alarms);
        var seen = new List<string> { await house.Output.MessageAsync() };
        while (seen.Count < 11)
            seen.Add(await house.Output.MessageAsync());
        Assert.Contains("1=Internal/EventQueueOverflow", seen[0], StringComparison.Ordinal);
        Assert.EndsWith("0=214 1=pump", seen[^1], StringComparison.Ordinal);
        Assert.Equal(5, house.Group.Report().Skipped);
    }

    /// <summary>Events until the end are still sent.</summary>
    [Fact]
    public async Task Group_Ends_WhatWaitedIsPublished()
    {
        var before = HeldValues;
        var house = new GroupHouse(_plant).Start(Alarms);
        Raise(house, 500, "first");
        await house.Output.MessageAsync();
        Raise(house, 501, "last");
        await house.DisposeAsync();
        Assert.Equal(["1 Event 1 0=501 1=last"], house.Output.Messages());
        Assert.Equal(before, HeldValues);
    }

    private static void Raise(GroupHouse house, ushort severity, string source, EventLayout? layout = null) =>
        house.Events.Raise(house.Events.Maker.Make(
            layout ?? StandardEvents.SystemEvent, default, source, "words", severity));
}
