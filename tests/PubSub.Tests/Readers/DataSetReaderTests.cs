using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.DataSets;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Readers;
using Gateway.PubSub.Tests.DataSets;
using Gateway.Testing;
using DataSetKeyValuePair = Gateway.Codec.Structures.KeyValuePair;

namespace Gateway.PubSub.Tests.Readers;

/// <summary>Messages of a writer become nodes with values, which are stale while none come.</summary>
public sealed class DataSetReaderTests
{
    private static readonly DateTime Start = new(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    private readonly Plant _plant = new();
    private readonly DataSetReader _reader;

    public DataSetReaderTests()
    {
        _reader = new DataSetReader(
            "broker", "in",
            new DataSetReaderOptions
            {
                Name = "line",
                PublisherId = "plant1",
                DataSetWriterId = 1,
                MessageReceiveTimeoutMs = 1000,
            },
            new ReaderParts(_plant.Nodes, _plant.Values, new PubSubLimits(), _plant.Time));
        _plant.Nodes.Namespaces.GetOrAdd("urn:other");
    }

    [Fact]
    public void Take_KeyFrame_PublishedNodesHaveValuesAndTimes()
    {
        _reader.TryTake(MetaData(1, "A", "B"));

        _reader.Take(Frame(FrameKind.KeyFrame, 1, (0, 1.5), (1, 2.5)));

        Assert.Equal(new DataValue(new Variant(1.5), StatusCode.Good, Start), Read("A"));
        Assert.Equal(new Variant(2.5), Read("B").Value);
        Assert.Equal(PubSubState.Operational, _reader.Report().State);
    }

    /// <summary>A shard that hears of the nodes may be the one that reads the reader's state: both waited for ever.
    /// </summary>
    [Fact]
    public void TryTake_StateIsReadWhileNodesChange_Ends()
    {
        var listener = new StateReader(_reader);
        using var listening = _plant.Nodes.Listen(listener);

        _reader.TryTake(MetaData(1, "A"));

        Assert.True(listener.HasRead);
    }

    /// <summary>The address space keeps each distinct shape for good.</summary>
    [Theory]
    [InlineData(1, 2)]
    [InlineData(-1, 1)]
    [InlineData(33, 33)]
    [InlineData(1, 1_000_000)]
    public void TryTake_ShapeThatNoFieldHas_RefusedAndCounted(int rank, int dimensions)
    {
        var bad = new DataSetMetaDataType
        {
            Name = "line",
            ConfigurationVersion = new ConfigurationVersionDataType { MajorVersion = 1, MinorVersion = 1 },
            Fields = [new FieldMetaData { Name = "A", ValueRank = rank, ArrayDimensions = new uint[dimensions] }],
        };

        Assert.False(_reader.TryTake(bad));

        Assert.Equal(1, _reader.Report().Problems[nameof(ReaderProblem.MetaDataRefused)]);
    }

    [Fact]
    public void Take_BeforeMetaData_CountedAndNotUsed()
    {
        _reader.Take(Frame(FrameKind.KeyFrame, 1, (0, 1.5)));

        Assert.Equal(1, _reader.Report().Problems[nameof(ReaderProblem.MetaDataMissing)]);
        Assert.Equal(PubSubState.PreOperational, _reader.Report().State);
    }

    [Fact]
    public void Take_Repeated_CountedAndNotUsed()
    {
        _reader.TryTake(MetaData(1, "A"));
        _reader.Take(Frame(FrameKind.KeyFrame, 7, (0, 1.5)));

        _reader.Take(Frame(FrameKind.KeyFrame, 7, (0, 9.5)));

        Assert.Equal(new Variant(1.5), Read("A").Value);
        Assert.Equal(1, _reader.Report().Repeats);
    }

    [Fact]
    public void Take_NumberMissing_GapCounted()
    {
        _reader.TryTake(MetaData(1, "A"));
        _reader.Take(Frame(FrameKind.KeyFrame, 7, (0, 1.5)));

        _reader.Take(Frame(FrameKind.DeltaFrame, 10, (0, 2.5)));

        Assert.Equal(2, _reader.Report().Gaps);
        Assert.Equal(new Variant(2.5), Read("A").Value);
    }

    [Fact]
    public void Take_PublisherStartsAnew_OlderNumberIsUsed()
    {
        _reader.TryTake(MetaData(1, "A"));
        _reader.Take(Frame(FrameKind.KeyFrame, 7, (0, 1.5)));

        _reader.Take(Frame(FrameKind.KeyFrame, 1, (0, 2.5)) with { Timestamp = Start.AddSeconds(1) });

        Assert.Equal(new Variant(2.5), Read("A").Value);
        Assert.Equal(0, _reader.Report().Repeats);
    }

    [Fact]
    public void CheckTimeout_Silence_StaleUntilTheNextMessage()
    {
        _reader.TryTake(MetaData(1, "A", "B"));
        _reader.Take(Frame(FrameKind.KeyFrame, 1, (0, 1.5), (1, 2.5)));

        _plant.Time.Advance(TimeSpan.FromSeconds(2));
        _reader.CheckTimeout();
        Assert.Equal(StatusCodes.BadNoCommunication, Read("A").Status);
        Assert.Equal(PubSubState.Error, _reader.Report().State);

        _reader.Take(Frame(FrameKind.DeltaFrame, 2, (1, 3.5)));
        Assert.Equal(new Variant(1.5), Read("A").Value);
        Assert.Equal(new Variant(3.5), Read("B").Value);
    }

    [Fact]
    public void Take_MessageMissingWhileStale_OtherFieldsStayBad()
    {
        _reader.TryTake(MetaData(1, "A", "B"));
        _reader.Take(Frame(FrameKind.KeyFrame, 1, (0, 1.5), (1, 2.5)));
        _reader.TakeEnd();

        _reader.Take(Frame(FrameKind.DeltaFrame, 3, (1, 3.5)));
        Assert.Equal(StatusCodes.BadNoCommunication, Read("A").Status);
        Assert.Equal(new Variant(3.5), Read("B").Value);

        _reader.TakeEnd();
        Assert.Equal(StatusCodes.BadNoCommunication, Read("B").Status);
    }

    [Fact]
    public void TryTake_NewVersion_NodesComeAndGo()
    {
        _reader.TryTake(MetaData(1, "A", "B"));
        _reader.Take(Frame(FrameKind.KeyFrame, 1, (0, 1.5), (1, 2.5)));
        var kept = _plant.Nodes.Find(IdOf("A"));

        _reader.TryTake(MetaData(2, "A", "C"));

        Assert.Equal(kept, _plant.Nodes.Find(IdOf("A")));
        Assert.True(_plant.Nodes.Find(IdOf("B")).IsNone);
        Assert.Equal(StatusCodes.BadWaitingForInitialData, Read("C").Status);
    }

    [Fact]
    public void TryTake_NodeIsAnothers_FieldGetsItsOwn()
    {
        _plant.AddTag("Taken");
        var before = _plant.Nodes.Find(new NodeId("Taken", 1));

        Assert.True(_reader.TryTake(MetaData(1, "A")));

        Assert.Equal(before, _plant.Nodes.Find(new NodeId("Taken", 1)));
        Assert.Equal(1, _reader.Report().Fields);
    }

    [Fact]
    public void TryTake_NameIsThereTwice_RefusedAndCounted()
    {
        Assert.False(_reader.TryTake(MetaData(1, "A", "A")));

        Assert.Equal(1, _reader.Report().Problems[nameof(ReaderProblem.MetaDataRefused)]);
    }

    private static ReceivedDataSet Frame(FrameKind kind, uint number,
        params (int At, double Value)[] fields) => new()
        {
            Kind = kind,
            SequenceNumber = number,
            Timestamp = Start,
            IsTyped = true,
            Fields = [.. fields.Select(static one =>
            new ReceivedField("", one.At, new DataValue(new Variant(one.Value), StatusCode.Good, Start)))],
        };

    private static DataSetMetaDataType MetaData(uint version, params string[] names) => new()
    {
        Name = "line",
        ConfigurationVersion = new ConfigurationVersionDataType { MajorVersion = version, MinorVersion = version },
        Fields = [.. names.Select(static name => new FieldMetaData
        {
            Name = name,
            BuiltInType = (byte)BuiltInType.Double,
            DataType = new NodeId(StandardIds.DataTypes.Double),
            ValueRank = -1,
            Properties =
                [new DataSetKeyValuePair { Key = DataSetLayout.NodeProperty, Value = new($"nsu=urn:other;s={name}") }],
        })],
    };

    private NodeId IdOf(string name) => new(name, _plant.Nodes.Namespaces.GetOrAdd("urn:other"));

    private DataValue Read(string name) =>
        _plant.Values.Read(_plant.Nodes.Find(IdOf(name))) with { ServerTimestamp = default };

    /// <summary>Reads the state on a thread of its own, as a shard does.</summary>
    private sealed class StateReader(DataSetReader reader) : INodeListener
    {
        public bool HasRead { get; private set; }

        public void OnApplied(in NodeChanges changes)
        {
            var thread = new Thread(() => reader.Report());
            thread.IsBackground = true;
            thread.Start();
            HasRead = thread.Join(Patience.Limit);
        }
    }
}
