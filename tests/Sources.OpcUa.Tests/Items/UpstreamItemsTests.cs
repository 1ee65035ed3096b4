using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests.Items;

public sealed class UpstreamItemsTests : ItemsTest
{
    [Fact]
    public async Task Interest_TenNodes_ItemsInPartsOfTheUpstreamsLimit()
    {
        Connect();
        foreach (var tag in _tags)
            Items.OnInterest(tag, wanted: true);
        await FollowAsync();
        Assert.Equal([4, 4, 2], Sent<CreateMonitoredItemsRequest>().Select(request => request.ItemsToCreate!.Length));
        var first = _gateway.Server.Items[0];
        Assert.Equal(2, first.ItemToMonitor.NodeId.NamespaceIndex);
        Assert.Equal(250, first.RequestedParameters.SamplingInterval);
        Assert.Equal(10, Items.ActiveCount);
    }

    [Theory]
    [InlineData(null, 250)]
    [InlineData(1000.0, 1000)]
    [InlineData(0.0, 250)]
    [InlineData(double.NaN, 250)]
    [InlineData(-1.0, 250)]
    public async Task SamplingInterval_WhatTheUpstreamReallyDoes(double? revised, double told)
    {
        _gateway.Server.RevisedSamplingInterval = revised;
        Connect();
        Assert.Equal(250, _source.SamplingIntervalMs(_tags[0]));
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        Assert.Equal(told, _source.SamplingIntervalMs(_tags[0]));
        Items.OnDisconnected();
        Assert.Equal(250, _source.SamplingIntervalMs(_tags[0]));
    }

    /// <summary>What it samples in between comes together, and only the last few of it.</summary>
    [Theory]
    [InlineData(250.0)]
    [InlineData(6000.0)]
    public async Task SamplingInterval_UpstreamPublishesMoreSlowlyThanAsked_NotBelowThat(double sampling)
    {
        _link = _link with { PublishingIntervalMs = 5000 };
        _gateway.Server.RevisedSamplingInterval = sampling;
        Connect();
        Assert.Equal(5000, _source.SamplingIntervalMs(_tags[0]));
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        Assert.Equal(Math.Max(sampling, 5000), _source.SamplingIntervalMs(_tags[0]));
        Assert.Equal(250, _gateway.Server.Items.Single().RequestedParameters.SamplingInterval);
        Items.OnDisconnected();
        Assert.Equal(5000, _source.SamplingIntervalMs(_tags[0]));
    }

    /// <summary>The last sample may be that old before its notification leaves, and that much later the next one comes.
    /// Source: Part 4 §5.11.2.2.</summary>
    [Theory]
    [InlineData(250.0, 250.0, 500)]
    [InlineData(2000.0, 250.0, 2250)]
    [InlineData(250.0, 5000.0, 10_000)]
    public async Task TryRead_MaxAge_AgainstWhatAStoredValueMayBe(double sampling, double publishing, double oldest)
    {
        _link = _link with { PublishingIntervalMs = publishing };
        _gateway.Server.RevisedSamplingInterval = sampling;
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        Ingest(_tags[0], new DataValue(new Variant(1.5)));
        Assert.False(_source.TryRead(_tags[0], oldest - 1, out _));
        Assert.True(_source.TryRead(_tags[0], oldest, out _));
    }

    /// <summary>"A server shall attempt to return a cached value." Source: Part 4 §5.11.2.2.</summary>
    [Fact]
    public async Task TryRead_LargestMaxAge_FromTheStoreHoweverSlowTheUpstream()
    {
        _gateway.Server.RevisedSamplingInterval = 1e10;
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        Ingest(_tags[0], new DataValue(new Variant(1.5)));
        Assert.True(_source.TryRead(_tags[0], int.MaxValue, out _));
    }

    [Fact]
    public async Task Ingest_Picoseconds_Kept()
    {
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        Ingest(_tags[0], new DataValue(new Variant(1.5), default, FakeUpstream.At(3), default, 1234));
        Assert.Equal(1234, _gateway.Values.Read(_tags[0]).SourcePicoseconds);
    }

    [Fact]
    public async Task Interest_CameAndWentMeanwhile_NothingAsked()
    {
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        Items.OnInterest(_tags[0], wanted: false);
        await FollowAsync();
        Assert.Empty(_gateway.Server.Items);
    }

    [Fact]
    public async Task Interest_LastOneGoes_ItemDeleted()
    {
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        Items.OnInterest(_tags[0], wanted: false);
        await FollowAsync();
        Assert.Equal([1u], Sent<DeleteMonitoredItemsRequest>().Single().MonitoredItemIds!);
        Assert.Equal(StatusCodes.BadWaitingForInitialData, _gateway.Values.Read(_tags[0]).Status);
        Assert.Equal(0, Items.ActiveCount);
    }

    [Fact]
    public async Task Interest_GoneAndBackBeforeTheLoopLooks_ValueStillThere()
    {
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        Ingest(_tags[0], new DataValue(new Variant(1.5)));
        Items.OnInterest(_tags[0], wanted: false);
        Ingest(_tags[0], new DataValue(new Variant(2.5)));
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        Assert.Equal(2.5, _gateway.Values.Read(_tags[0]).Value.AsDouble());
        Assert.Single(_gateway.Server.Items);
        Assert.Empty(Sent<DeleteMonitoredItemsRequest>());
        Assert.True(Items.IsYoungerThan(_tags[0], double.MaxValue));
    }

    /// <summary>The upstream's first value may come before its answer to the Create.</summary>
    [Fact]
    public async Task Interest_GoneAndBackWhileTheItemIsCreated_FirstValueTaken()
    {
        Connect();
        _gateway.Server.OnCreateItem = () =>
        {
            Items.OnInterest(_tags[0], wanted: false);
            Ingest(_tags[0], new DataValue(new Variant(1.5)));
            Items.OnInterest(_tags[0], wanted: true);
        };
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        Assert.Equal(1.5, _gateway.Values.Read(_tags[0]).Value.AsDouble());
        Assert.Single(_gateway.Server.Items);
    }

    [Fact]
    public async Task Interest_GoneBeforeTheItemIsRefused_NothingLeftInTheStore()
    {
        Connect();
        _gateway.Server.ItemStatus = StatusCodes.BadTooManyMonitoredItems;
        _gateway.Server.OnCreateItem = () => Items.OnInterest(_tags[0], wanted: false);
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        Assert.False(_gateway.Values.Contains(_tags[0]));
    }

    [Fact]
    public async Task Interest_GoneAtTheDisconnect_NothingLeftInTheStore()
    {
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        Ingest(_tags[0], new DataValue(new Variant(1.5)));
        Items.OnInterest(_tags[0], wanted: false);
        Items.OnDisconnected();
        Assert.False(_gateway.Values.Contains(_tags[0]));
    }

    [Fact]
    public async Task Interest_ItemRefused_NodeCarriesTheReason()
    {
        Items.MaxReadsPerSecond = 0;
        Connect();
        _gateway.Server.ItemStatus = StatusCodes.BadTooManyMonitoredItems;
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        var value = _gateway.Values.Read(_tags[0]);
        Assert.Equal(StatusCodes.BadTooManyMonitoredItems, value.Status);
        Assert.Equal(_gateway.Time.GetUtcNow().UtcDateTime, value.SourceTimestamp);
        Assert.False(Items.IsYoungerThan(_tags[0], double.MaxValue));
    }

    [Fact]
    public async Task Interest_WhileAway_NoCommunicationThenItemWhenItIsBack()
    {
        Items.OnInterest(_tags[0], wanted: true);
        Assert.Equal(StatusCodes.BadNoCommunication, _gateway.Values.Read(_tags[0]).Status);
        Connect();
        await FollowAsync();
        Assert.Equal((uint)_tags[0].Index, _gateway.Server.Items.Single().RequestedParameters.ClientHandle);
    }

    [Fact]
    public async Task Disconnect_WatchedNodes_NoCommunicationSinceTheLossWasSeen()
    {
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        Ingest(_tags[0], new DataValue(new Variant(1.5), default, FakeUpstream.At(7)));
        Assert.Equal(1.5, _gateway.Values.Read(_tags[0]).Value.AsDouble());
        _gateway.Time.Advance(TimeSpan.FromSeconds(61));
        var lost = _gateway.Time.GetUtcNow().UtcDateTime;
        Items.OnDisconnected();
        _gateway.Time.Advance(TimeSpan.FromSeconds(5));
        Items.OnInterest(_tags[1], wanted: true);
        foreach (var tag in _tags[..2])
        {
            var value = _gateway.Values.Read(tag);
            Assert.Equal((StatusCodes.BadNoCommunication, lost), (value.Status, value.SourceTimestamp));
            Assert.True(value.Value.IsNull);
        }
    }

    [Fact]
    public async Task Ingest_PlainAndMappedTypes_StatusAndTimeKept()
    {
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        Ingest(_tags[0], new DataValue(new Variant("text"), StatusCodes.UncertainLastUsableValue, FakeUpstream.At(3)));
        var value = _gateway.Values.Read(_tags[0]);
        Assert.Equal("text", value.Value.AsString());
        Assert.Equal(StatusCodes.UncertainLastUsableValue, value.Status);
        Assert.Equal(FakeUpstream.At(3), value.SourceTimestamp);
        Ingest(_tags[0], new DataValue(new Variant(new NodeId("T1", 2))));
        Assert.Equal(_gateway.Nodes.GetNodeId(_tags[1]), _gateway.Values.Read(_tags[0]).Value.AsNodeId());
    }

    /// <summary>Overflow is said of a notification; limit bits and their InfoType are the value's.</summary>
    [Theory]
    [InlineData(0x0000_0480, 0)]
    [InlineData(0x4094_0480, 0x4094_0000)]
    [InlineData(0x0000_0580, 0x0000_0500)]
    [InlineData(0x0000_0500, 0x0000_0500)]
    public async Task UpstreamsOverflowBit_NotPartOfTheValue(uint upstream, uint stored)
    {
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        Ingest(_tags[0], new DataValue(new Variant(1.5), upstream));
        Assert.Equal(stored, _gateway.Values.Read(_tags[0]).Status.Code);
        Ingest(_tags[0], new DataValue(new Variant(new NodeId("T1", 2)), upstream));
        Assert.Equal(stored, _gateway.Values.Read(_tags[0]).Status.Code);

        _gateway.Server.Attributes[(new NodeId("T0", 2), AttributeId.Value)] =
            new DataValue(new Variant(9.0), upstream);
        var read = new DataValue[1];
        await _source.ReadAsync(_tags.AsMemory(0, 1), 0, read, default);
        Assert.Equal(stored, read[0].Status.Code);
        _source.Intake.OnLost(null!, 3, 2);
        await FollowAsync();
        Assert.Equal((9.0, stored), (_gateway.Values.Read(_tags[0]).Value.AsDouble(), read[0].Status.Code));
    }

    [Fact]
    public void Ingest_HandleOfANodeThatIsNotWatchedOrNotOurs_Ignored()
    {
        Connect();
        var foreign = _gateway.Nodes.Find(new NodeId(2255));
        var before = _gateway.Values.Read(foreign);
        Ingest(foreign, new DataValue(new Variant(1.0)));
        Ingest(_tags[3], new DataValue(new Variant(1.0)));
        Ingest(new NodeHandle(int.MaxValue), new DataValue(new Variant(1.0)));
        Assert.Equal(before.Status, _gateway.Values.Read(foreign).Status);
        Assert.Equal(StatusCodes.BadWaitingForInitialData, _gateway.Values.Read(_tags[3]).Status);
    }

    [Fact]
    public async Task Ingest_ValueOverItsBound_StatusInsteadAndTold()
    {
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        Ingest(_tags[0], new DataValue(Variant.FromByteString(new byte[101]), default, FakeUpstream.At(3)));
        var value = _gateway.Values.Read(_tags[0]);
        Assert.Equal(StatusCodes.BadOutOfMemory, value.Status);
        Assert.Equal(FakeUpstream.At(3), value.SourceTimestamp);
        Assert.Equal([(UpstreamBound.MaxUpstreamValueBytes, 1L)], _metrics.BoundsMet());
    }

    [Fact]
    public async Task Ingest_ManyLargeValues_HeldOnlyUpToTheBound()
    {
        Connect();
        foreach (var tag in _tags[..3])
            Items.OnInterest(tag, wanted: true);
        await FollowAsync();
        foreach (var tag in _tags[..3])
            Ingest(tag, new DataValue(Variant.FromByteString(new byte[90])));
        Assert.Equal(StatusCodes.BadOutOfMemory, _gateway.Values.Read(_tags[2]).Status);
        Assert.Equal([(UpstreamBound.MaxUpstreamHeldBytes, 1L)], _metrics.BoundsMet());

        // One that nobody watches any more gives its bytes back with its item.
        Items.OnInterest(_tags[0], wanted: false);
        await FollowAsync();
        Ingest(_tags[2], new DataValue(Variant.FromByteString(new byte[90])));
        Assert.Equal(90, _gateway.Values.Read(_tags[2]).Value.AsByteString()!.Length);
    }

    [Fact]
    public async Task Lost_ValuesReadAgain()
    {
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        _gateway.Server.Attributes[(new NodeId("T0", 2), AttributeId.Value)] = new DataValue(new Variant(9.0));
        _source.Intake.OnLost(null!, 3, 2);
        await FollowAsync();
        Assert.Equal(9.0, _gateway.Values.Read(_tags[0]).Value.AsDouble());
    }

    [Fact]
    public void SubscriptionEnded_SessionGivenUp()
    {
        Connect();
        _source.Intake.OnStatusChange(null!, StatusCodes.BadTimeout);
        Assert.True(_gateway.Server.Session!.IsAborted);
    }

    [Fact]
    public async Task TryRead_WatchedAndYoungEnough_FromTheStoreOtherwiseUpstream()
    {
        Connect();
        Items.OnInterest(_tags[0], wanted: true);
        await FollowAsync();
        Assert.False(_source.TryRead(_tags[0], 1000, out _));
        Ingest(_tags[0], new DataValue(new Variant(1.5)));
        _gateway.Time.Advance(TimeSpan.FromSeconds(20));
        Assert.True(_source.TryRead(_tags[0], 1000, out var value));
        Assert.Equal(1.5, value.Value.AsDouble());
        Assert.Equal(_gateway.Time.GetUtcNow().UtcDateTime, value.ServerTimestamp);
        Assert.False(_source.TryRead(_tags[0], 0, out _));
        Assert.False(_source.TryRead(_tags[1], 1000, out _));
    }
}
