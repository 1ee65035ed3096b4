using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.DataSets;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Readers;
using Gateway.PubSub.Tests.DataSets;
using DataSetKeyValuePair = Gateway.Codec.Structures.KeyValuePair;

namespace Gateway.PubSub.Tests.Readers;

/// <summary>Which NodeIds fields take, and how many nodes metadata may make: anybody may have written it.</summary>
public sealed class ReaderNodesTests
{
    private readonly Plant _plant = new();
    private readonly ReaderParts _parts;

    public ReaderNodesTests()
    {
        _parts = Parts(new PubSubLimits());
    }

    private NamespaceTable Namespaces => _plant.Nodes.Namespaces;

    /// <summary>Its nodes may not be there yet: who comes first must not decide which machine a NodeId means.</summary>
    [Fact]
    public void TryTake_NamespaceOfAnUpstream_FieldGetsAnOwnId()
    {
        Namespaces.Claim("urn:plc1");

        Assert.True(Reader("line", "p").TryTake(MetaData(1, ("Temp", "nsu=urn:plc1;s=Temp"))));

        Assert.False(Namespaces.TryGetIndex("urn:plc1", out _));
        Assert.False(_plant.Nodes.Find(OwnId("p", "line/Temp")).IsNone);
    }

    [Fact]
    public void FollowClaims_AnUpstreamComesLater_FieldMovesWithItsValue()
    {
        var reader = Reader("line", "p");
        reader.TryTake(MetaData(1, ("Temp", "nsu=urn:plc1;s=Temp"), ("Own", null)));
        reader.Take(new ReceivedDataSet
        {
            Kind = FrameKind.KeyFrame,
            SequenceNumber = 1,
            IsTyped = true,
            Fields = [new ReceivedField("", 0, new DataValue(new Variant(1.5)))],
        });
        Assert.True(Namespaces.TryGetIndex("urn:plc1", out var index));
        var kept = _plant.Nodes.Find(OwnId("p", "line/Own"));

        reader.FollowClaims();
        Assert.False(_plant.Nodes.Find(new NodeId("Temp", index)).IsNone);
        Namespaces.Claim("urn:plc1");
        reader.FollowClaims();

        Assert.True(_plant.Nodes.Find(new NodeId("Temp", index)).IsNone);
        Assert.Equal(new Variant(1.5), _plant.Values.Read(_plant.Nodes.Find(OwnId("p", "line/Temp"))).Value);
        Assert.Equal(kept, _plant.Nodes.Find(OwnId("p", "line/Own")));
    }

    /// <summary>One publisher must not keep another one's reader from ever having nodes.</summary>
    [Fact]
    public void TryTake_IdInTheNamespaceOfAnotherReader_FieldGetsAnOwnId()
    {
        var (victim, other) = (Reader("line", "q"), Reader("x", "p"));

        Assert.True(other.TryTake(MetaData(1, ("A", "nsu=urn:gateway:pubsub:q;s=line/Temp"))));
        Assert.True(victim.TryTake(MetaData(1, ("Temp", null))));

        Assert.Equal(1, victim.Report().Fields);
        Assert.False(_plant.Nodes.Find(OwnId("p", "x/A")).IsNone);
    }

    [Fact]
    public void TryTake_OneFieldNamesTheOwnIdOfAnother_BothHaveNodes()
    {
        var reader = Reader("line", "p");

        Assert.True(reader.TryTake(MetaData(
            1, ("A", "nsu=urn:gateway:pubsub:p;s=line/B"), ("B", null))));

        Assert.Equal(2, reader.Report().Fields);
    }

    /// <summary>The address space keeps the names of nodes that have gone.</summary>
    [Fact]
    public void TryTake_MoreNodesThanAllReadersMayMake_RefusedAndCountedAndTheOldStay()
    {
        var parts = Parts(new PubSubLimits { MaxPubSubReaderBytes = 4000 });
        var reader = Reader("line", "p", parts);
        Assert.True(reader.TryTake(MetaData(1, ("A", null), ("B", null))));

        var version = 2u;
        while (reader.TryTake(MetaData(version, ($"A{version}", null), ("B", null))) && version < 1000)
            version++;

        Assert.InRange(version, 5u, 30u);
        Assert.Equal(1, reader.Report().Problems[nameof(ReaderProblem.NodesFull)]);
        Assert.False(_plant.Nodes.Find(OwnId("p", $"line/A{version - 1}")).IsNone);
        // Those that stay cost nothing.
        Assert.True(reader.TryTake(MetaData(1001, ("B", null))));
        Assert.False(Reader("other", "p", parts).TryTake(MetaData(1, (new string('x', 500), null))));
    }

    [Fact]
    public void RemoveNodes_MetaDataComesLater_MakesNone()
    {
        var reader = Reader("line", "p");
        reader.RemoveNodes();

        Assert.False(reader.TryTake(MetaData(1, ("A", null))));
        reader.RemoveNodes();

        Assert.True(_plant.Nodes.Find(OwnId("p", "line/A")).IsNone);
    }

    /// <summary>They exist all the same: the next metadata has to know them.</summary>
    [Fact]
    public void TryTake_AListenerFails_NextMetaDataIsTaken()
    {
        var reader = Reader("line", "p");
        using (_plant.Nodes.Listen(new Failing()))
            Assert.ThrowsAny<Exception>(() => reader.TryTake(MetaData(1, ("A", null))));

        Assert.True(reader.TryTake(MetaData(2, ("A", null))));

        Assert.Equal(1, reader.Report().Fields);
    }

    private static DataSetMetaDataType MetaData(uint version, params (string Name, string? Id)[] fields) => new()
    {
        Name = "line",
        ConfigurationVersion = new ConfigurationVersionDataType { MajorVersion = version, MinorVersion = version },
        Fields = [.. fields.Select(static one => new FieldMetaData
        {
            Name = one.Name,
            BuiltInType = (byte)BuiltInType.Double,
            DataType = new NodeId(StandardIds.DataTypes.Double),
            ValueRank = -1,
            Properties = one.Id is null
                ? null
                : [new DataSetKeyValuePair { Key = DataSetLayout.NodeProperty, Value = new(one.Id) }],
        })],
    };

    private ReaderParts Parts(PubSubLimits limits) => new(_plant.Nodes, _plant.Values, limits, _plant.Time);

    private DataSetReader Reader(string name, string publisher, ReaderParts? parts = null) => new(
        "broker", "in",
        new DataSetReaderOptions { Name = name, PublisherId = publisher, DataSetWriterId = 1 }, parts ?? _parts);

    private NodeId OwnId(string publisher, string name) =>
        new(name, Namespaces.GetOrAdd($"urn:gateway:pubsub:{publisher}"));

    private sealed class Failing : INodeListener
    {
        public void OnApplied(in NodeChanges changes) => throw new InvalidOperationException("of the test");
    }
}
