using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.DataSets;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Readers;
using Gateway.PubSub.Tests.DataSets;
using Gateway.PubSub.Tests.Uadp;
using Gateway.PubSub.Uadp;
using Gateway.PubSub.Uadp.Discovery;
using Gateway.PubSub.Uadp.Reading;
using Gateway.PubSub.Uadp.Security;
using static Gateway.PubSub.Tests.Uadp.UadpPlant;
using DataSetKeyValuePair = Gateway.Codec.Structures.KeyValuePair;

namespace Gateway.PubSub.Tests.Readers;

/// <summary>UADP of a publisher becomes nodes with values; what is wrong with a message is counted and costs nothing
/// else.</summary>
public sealed class UadpInputTests : IDisposable
{
    private const string Publisher = "plant1";
    private const ushort WriterId = 5;

    private readonly Plant _plant = new();
    private readonly ReaderParts _parts;
    private readonly DataSetReader _reader;
    private readonly RotatingKeys _keys = new();
    private readonly UadpNonces _nonces;
    private readonly List<IDisposable> _made = [];

    public UadpInputTests()
    {
        _parts = new ReaderParts(_plant.Nodes, _plant.Values, new PubSubLimits(), _plant.Time);
        _reader = new DataSetReader(
            "udp", "in",
            new DataSetReaderOptions
            {
                Name = "line",
                PublisherId = Publisher,
                DataSetWriterId = WriterId,
                MessageReceiveTimeoutMs = 60_000,
            }, _parts);
        _nonces = new UadpNonces(new NonceRegister(), _plant.Time);
        // The publisher's indexes are others than those here.
        _plant.Nodes.Namespaces.GetOrAdd("urn:first");
    }

    public void Dispose() => _made.ForEach(static one => one.Dispose());

    [Theory]
    [InlineData("None", 1472)]
    [InlineData("None", 300)]
    [InlineData("Sign", 1472)]
    [InlineData("SignAndEncrypt", 300)]
    public void Take_MetaDataAndData_NodesHaveTheValues(string mode, int messageBytes)
    {
        var input = Input(mode);
        Announce(input, mode, messageBytes);

        var text = new string('x', 1000);
        Send(input, Data(mode, messageBytes), FrameKind.KeyFrame, 1, Field(0, new(1.5)), Field(1, new(text)));

        Assert.Equal(new Variant(1.5), Read("A").Value);
        Assert.Equal(Timestamp, Read("A").SourceTimestamp);
        Assert.Equal(text, Read("B").Value.AsString());
        Assert.Empty(_reader.Report().Problems);
    }

    [Fact]
    public void Take_DeltaFrameAndKeepAlive_OneFieldChanges()
    {
        var input = Started(out var data);

        Send(input, data, FrameKind.DeltaFrame, 2, Field(0, new(2.5)));
        Send(input, data, FrameKind.KeepAlive, 3);

        Assert.Equal(new Variant(2.5), Read("A").Value);
        Assert.Equal("b", Read("B").Value.AsString());
        Assert.Equal((3, 0, 0), (_reader.Report().Messages, _reader.Report().Gaps, _reader.Report().Repeats));
    }

    /// <summary>UADP counts with 16 bits.</summary>
    [Fact]
    public void Take_NumbersBeginAgainAtZero_NoneIsMissing()
    {
        var input = Started(out var data, first: ushort.MaxValue);

        Send(input, data, FrameKind.DeltaFrame, 0x10000, Field(0, new(2.5)));
        Send(input, data, FrameKind.DeltaFrame, 0x10002, Field(0, new(3.5)));

        Assert.Equal((3, 1, 0), (_reader.Report().Messages, _reader.Report().Gaps, _reader.Report().Repeats));
    }

    [Fact]
    public void Take_ValueWithIndexes_HasThoseOfThisGateway()
    {
        var input = Started(out var data);

        Send(input, data, FrameKind.DeltaFrame, 2, Field(0, new(new NodeId("x", 2))));
        Assert.Equal(
            new NodeId("x", _plant.Nodes.Namespaces.GetOrAdd("urn:other")), Read("A").Value.AsNodeId());

        Send(input, data, FrameKind.DeltaFrame, 3, Field(0, new(new NodeId("x", 9))));
        Assert.Equal(StatusCodes.BadDecodingError, Read("A").Status);
    }

    [Theory]
    [InlineData("Sign", "None")]
    [InlineData("SignAndEncrypt", "None")]
    [InlineData("SignAndEncrypt", "Sign")]
    public void Take_LessSecurityThanConfigured_RefusedAndCounted(string configured, string sent)
    {
        var input = Input(configured);
        Announce(input, configured);

        Announce(input, sent);
        Send(input, Data(sent), FrameKind.KeyFrame, 1, Field(0, new(1.5)), Field(1, new("b")));

        Assert.Equal(StatusCodes.BadWaitingForInitialData, Read("A").Status);
        Assert.Equal(2, Problem(ReaderProblem.SecurityModeTooLow));
    }

    [Fact]
    public void Take_Replayed_RefusedAndCounted()
    {
        var input = Input("Sign");
        Announce(input, "Sign");
        var data = Data("Sign");
        Message(data, new FrameOf(Description, FrameKind.KeyFrame, 1, Field(0, new(1.5)), Field(1, new("b"))));
        var message = data.Part(0).ToArray();

        Assert.True(input.TryTake(null, message));
        Assert.True(input.TryTake(null, message));

        Assert.Equal(1, Problem(ReaderProblem.Replayed));
        Assert.Equal(1, _reader.Report().Messages);
    }

    /// <summary>A broker gives retained metadata again, in any order.</summary>
    [Theory]
    [InlineData(true, 0)]
    [InlineData(false, 1)]
    public void Take_MetaDataComesAgain_IsNoReplayFromABroker(bool isBroker, long replays)
    {
        var input = Input("Sign", isBroker);
        using var announcer = Announcer("Sign");
        announcer.TryWriteMetaData(WriterId, MetaData);
        var message = announcer.Part(0).ToArray();

        Assert.True(input.TryTake(isBroker ? Publisher : null, message));
        Assert.True(input.TryTake(isBroker ? Publisher : null, message));

        Assert.Equal(replays, _reader.Report().Problems.GetValueOrDefault(nameof(ReaderProblem.Replayed)));
        Assert.NotNull(_reader.MetaData);
    }

    /// <summary>Whoever may write to the topic can send last week's, without any key.</summary>
    [Fact]
    public void Take_OlderMetaDataFromABroker_RefusedAndCountedUntilTheWriterIsSilent()
    {
        var input = Input("Sign", isBroker: true);
        var (old, now) = (Sealed(6), Sealed(7));
        input.TryTake(Publisher, old);
        input.TryTake(Publisher, now);

        Assert.True(input.TryTake(Publisher, old));
        Assert.Equal((7u, 1L), (Version, Problem(ReaderProblem.Replayed)));
        // The broker gives the retained one again.
        Assert.True(input.TryTake(Publisher, now));
        Assert.Equal((7u, 1L), (Version, Problem(ReaderProblem.Replayed)));

        // One silent timeout is none in which it may have begun anew.
        _reader.TakeEnd();
        input.TryTake(Publisher, old);
        Assert.Equal((7u, 2L), (Version, Problem(ReaderProblem.Replayed)));

        // Its publisher may have started anew, and count from the beginning.
        _plant.Time.Advance(TimeSpan.FromSeconds(121));
        input.TryTake(Publisher, old);
        Assert.Equal(6u, Version);
    }

    /// <summary>Keys only go on, whatever the silence.</summary>
    [Fact]
    public void Take_MetaDataOfAnOlderKeyAfterALongSilence_Refused()
    {
        var input = Input("Sign", isBroker: true);
        var old = Sealed(6);
        _keys.Rotate();
        input.TryTake(Publisher, Sealed(7));
        _reader.TakeEnd();
        _plant.Time.Advance(TimeSpan.FromHours(1));
        Assert.True(input.TryTake(Publisher, old));
        Assert.Equal((7u, 1L), (Version, Problem(ReaderProblem.Replayed)));
    }

    /// <summary>It has lost its numbers: it is heard again with its data, and its metadata with them.</summary>
    [Fact]
    public void Take_PublisherBeganAnew_ItsMetaDataIsTakenBehindItsData()
    {
        var input = Input("Sign", isBroker: true);
        var old = Sealed(7);
        var data = Data("Sign");
        Message(data, new FrameOf(Description, FrameKind.KeepAlive, 1));
        var early = data.Part(0).ToArray();
        input.TryTake(Publisher, Sealed(7));
        Message(data, new FrameOf(Description, FrameKind.KeepAlive, 2));
        input.TryTake(Publisher, data.Part(0).ToArray());
        _plant.Time.Advance(TimeSpan.FromSeconds(121));
        input.TryTake(Publisher, early);
        Assert.True(input.TryTake(Publisher, old));
        Assert.Empty(_reader.Report().Problems);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Take_SealedStatus_IsNotLookedAt(bool isBroker)
    {
        var input = Input("Sign", isBroker);
        Announce(input, "Sign");
        Send(input, Data("Sign"), FrameKind.KeyFrame, 1, Field(0, new(1.5)), Field(1, new("b")));
        using var announcer = Announcer("Sign");
        announcer.TryWriteStatus(PubSubState.Error);

        Assert.True(input.TryTake(isBroker ? Publisher : null, announcer.Part(0).Span));

        Assert.Equal(new Variant(1.5), Read("A").Value);
    }

    /// <summary>A publisher with long keep-alive times is silent for minutes; a change of other readers of the group
    /// makes a new input.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Take_ReplayedAfterASilence_RefusedAndCounted(bool isNewInput)
    {
        var input = Input("Sign");
        Announce(input, "Sign");
        var data = Data("Sign");
        Message(data, new FrameOf(Description, FrameKind.KeyFrame, 1, Field(0, new(1.5)), Field(1, new("b"))));
        var message = data.Part(0).ToArray();
        input.TryTake(null, message);
        if (isNewInput)
            input = Input("Sign", replays: input.Replays);

        _plant.Time.Advance(TimeSpan.FromSeconds(isNewInput ? 1 : 110));
        Assert.True(input.TryTake(null, message));

        Assert.Equal((1, 1), (Problem(ReaderProblem.Replayed), _reader.Report().Messages));
    }

    /// <summary>The topic says whose it is.</summary>
    [Fact]
    public void Take_WithoutAPublisherId_FieldsAreReadByTheMetaDataOfTheTopicsPublisher()
    {
        var input = Input("None", isBroker: true);
        var raw = Description with
        {
            FieldContentMask = DataSetFieldContentMask.RawData,
            MetaData = new DataSetMetaDataType
            {
                Name = MetaData.Name,
                Namespaces = MetaData.Namespaces,
                Fields = [MetaOf("A", BuiltInType.Double), MetaOf("B", BuiltInType.String)],
                ConfigurationVersion = MetaData.ConfigurationVersion,
            },
        };
        using var announcer = Announcer("None");
        Assert.True(announcer.TryWriteMetaData(WriterId, raw.MetaData));
        input.TryTake(Publisher, announcer.Part(0).Span);
        using var data = new UadpNetworkMessageWriter(
            new GroupDescription
            {
                PublisherId = Publisher,
                Name = "g",
                WriterGroupId = 1,
                UadpMask = MessageMasks.UadpNetworkMessage & ~UadpNetworkMessageContentMask.PublisherId,
            }, OptionsOf(1472, Publisher), null);
        Message(data, new FrameOf(raw, FrameKind.KeyFrame, 1, Field(0, new(1.5)), Field(1, new("b"))));

        Assert.True(input.TryTake(Publisher, data.Part(0).Span));

        Assert.Equal("b", Read("B").Value.AsString());
        Assert.Empty(_reader.Report().Problems);
    }

    [Fact]
    public void Take_ChunksThatNeverBecomeAPayload_CountedAndOthersComeThrough()
    {
        var input = Started(out _);
        using var forged = Writer("None", 300, Publisher);
        for (var i = 0u; i < 20; i++)
        {
            Message(forged, new FrameOf(
                Description, FrameKind.KeyFrame, i, Field(0, new(9.5)), Field(1, new(new string('x', 1000)))));
            input.TryTake(null, forged.Part(0).Span);
        }

        Assert.Equal(4, Problem(ReaderProblem.ChunksFull));
        Send(input, Data("None", 300), FrameKind.KeyFrame, 30, Field(0, new(2.5)), Field(1, new(new string('y', 999))));
        Assert.Equal(new Variant(2.5), Read("A").Value);
    }

    [Fact]
    public void Take_LyingFieldCount_RefusedAndCounted()
    {
        var input = Started(out var data);
        Message(data, new FrameOf(Description, FrameKind.KeyFrame, 2, Field(0, new(9.5)), Field(1, new("z"))));
        var message = data.Part(0).ToArray();
        var at = message.AsSpan().IndexOf((ReadOnlySpan<byte>)[2, 0, DataValueStart]);

        message[at] = 200;
        Assert.True(input.TryTake(null, message));

        Assert.Equal(1, Problem(ReaderProblem.Unreadable));
        Assert.Equal(new Variant(1.5), Read("A").Value);
    }

    [Fact]
    public void Take_CutAnywhere_NeverThrowsNorChangesAValue()
    {
        var input = Started(out var data);
        Message(data, new FrameOf(Description, FrameKind.KeyFrame, 2, Field(0, new(9.5)), Field(1, new("z"))));
        var message = data.Part(0).ToArray();

        for (var length = 0; length < message.Length; length++)
            input.TryTake(null, message.AsSpan(0, length));

        Assert.Equal(new Variant(1.5), Read("A").Value);
        Assert.True(Problem(ReaderProblem.Unreadable) > 0);
    }

    [Fact]
    public void Take_OfAnotherPublisher_IsAStranger()
    {
        var input = Started(out _);
        using var other = Writer("None", 1472, "somebody");
        Message(other, new FrameOf(Description, FrameKind.KeyFrame, 2, Field(0, new(9.5)), Field(1, new("z"))));
        var message = other.Part(0).ToArray();

        Assert.False(input.TryTake(null, message));
        Assert.True(input.TryTake(Publisher, message));

        Assert.Equal(1, Problem(ReaderProblem.Stranger));
        Assert.Equal(new Variant(1.5), Read("A").Value);
    }

    [Fact]
    public void Take_BeforeMetaData_CountedAndNotUsed()
    {
        var input = Input("None");

        Send(input, Data("None"), FrameKind.KeyFrame, 1, Field(0, new(1.5)), Field(1, new("b")));

        Assert.Equal(1, Problem(ReaderProblem.MetaDataMissing));
    }

    [Fact]
    public void Take_OtherVersion_CountedAndNotUsed()
    {
        var input = Started(out var data);
        var newer = Describe(new ConfigurationVersionDataType { MajorVersion = 8, MinorVersion = 8 });

        Message(data, new FrameOf(newer, FrameKind.KeyFrame, 2, Field(0, new(9.5)), Field(1, new("z"))));
        input.TryTake(null, data.Part(0).Span);

        Assert.Equal(1, Problem(ReaderProblem.MetaDataOutdated));
        Assert.Equal(new Variant(1.5), Read("A").Value);
    }

    [Fact]
    public void Take_PublisherHasEnded_ValuesAreStale()
    {
        var input = Started(out _);
        using var announcer = Announcer("None");
        announcer.TryWriteStatus(PubSubState.Disabled);

        Assert.True(input.TryTake(null, announcer.Part(0).Span));

        Assert.Equal(StatusCodes.BadNoCommunication, Read("A").Status);
    }

    private const byte DataValueStart = 0x05;

    private static WriterDescription Description =>
        Describe(new ConfigurationVersionDataType { MajorVersion = 7, MinorVersion = 9 });

    /// <summary>Index 1 and 2 at the publisher.</summary>
    private static DataSetMetaDataType MetaData => new()
    {
        Name = "line",
        Namespaces = ["urn:publisher", "urn:other"],
        ConfigurationVersion = new ConfigurationVersionDataType { MajorVersion = 7, MinorVersion = 9 },
        Fields = [MetaOf("A", BuiltInType.Variant), MetaOf("B", BuiltInType.String)],
    };

    private static WriterDescription Describe(ConfigurationVersionDataType version) => new()
    {
        Name = "w",
        DataSetWriterId = WriterId,
        FieldContentMask = DataSetFieldContentMask.StatusCode | DataSetFieldContentMask.SourceTimestamp,
        UadpMask = MessageMasks.UadpDataSetMessage,
        MetaData = new DataSetMetaDataType { Fields = MetaData.Fields, ConfigurationVersion = version },
    };

    private static FieldMetaData MetaOf(string name, BuiltInType type) => new()
    {
        Name = name,
        BuiltInType = (byte)type,
        DataType = new NodeId((uint)type),
        ValueRank = -1,
        Properties =
            [new DataSetKeyValuePair { Key = DataSetLayout.NodeProperty, Value = new($"nsu=urn:other;s={name}") }],
    };

    private uint Version => _reader.MetaData!.ConfigurationVersion.MajorVersion;

    private UadpInput Input(string mode, bool isBroker = false, UadpReplayBook? replays = null)
    {
        var group = new ReaderGroupOptions { Name = "in", Encoding = "uadp", SecurityMode = mode };
        return Add(new UadpInput(group, [_reader], _parts, mode == "None" ? null : _keys, isBroker, replays));
    }

    /// <summary>Metadata of that version, later than all before.</summary>
    private byte[] Sealed(uint version)
    {
        using var announcer = Announcer("Sign");
        Assert.True(announcer.TryWriteMetaData(WriterId, new DataSetMetaDataType
        {
            Name = MetaData.Name,
            Namespaces = MetaData.Namespaces,
            Fields = MetaData.Fields,
            ConfigurationVersion = new ConfigurationVersionDataType { MajorVersion = version, MinorVersion = version },
        }));
        return announcer.Part(0).ToArray();
    }

    /// <summary>With metadata and a first key frame.</summary>
    private UadpInput Started(out UadpNetworkMessageWriter data, uint first = 1)
    {
        var input = Input("None");
        Announce(input, "None");
        data = Data("None");
        Send(input, data, FrameKind.KeyFrame, first, Field(0, new(1.5)), Field(1, new("b")));
        return input;
    }

    private void Announce(UadpInput input, string mode, int messageBytes = 1472)
    {
        using var announcer = Announcer(mode, messageBytes);
        Assert.True(announcer.TryWriteMetaData(WriterId, MetaData));
        for (var i = 0; i < announcer.PartCount; i++)
            input.TryTake(null, announcer.Part(i).Span);
    }

    private static void Send(
        UadpInput input, UadpNetworkMessageWriter writer, FrameKind kind, uint number, params FrameField[] fields)
    {
        Message(writer, new FrameOf(Description, kind, number, fields));
        for (var i = 0; i < writer.PartCount; i++)
            Assert.True(input.TryTake(null, writer.Part(i).Span));
    }

    private UadpNetworkMessageWriter Data(string mode, int messageBytes = 1472) =>
        Add(Writer(mode, messageBytes, Publisher));

    private UadpNetworkMessageWriter Writer(string mode, int messageBytes, string publisher) => new(
        new GroupDescription
        {
            PublisherId = publisher,
            Name = "g",
            WriterGroupId = 1,
            UadpMask = MessageMasks.UadpNetworkMessage,
        }, OptionsOf(messageBytes, publisher), SealerOf(mode));

    private UadpDiscoveryWriter Announcer(string mode, int messageBytes = 1472) =>
        new(OptionsOf(messageBytes, Publisher), SealerOf(mode));

    private static UadpWriterOptions OptionsOf(int messageBytes, string publisher) =>
        new() { PublisherId = UadpPublisherId.Of(publisher), MaxMessageBytes = messageBytes };

    private UadpSealer? SealerOf(string mode) => SecurityModes.Of(mode) is MessageSecurityMode.None
        ? null
        : new UadpSealer(SecurityModes.Of(mode), _keys, _nonces, _plant.Time);

    private long Problem(ReaderProblem problem) => _reader.Report().Problems.GetValueOrDefault(problem.ToString());

    private DataValue Read(string name) => _plant.Values.Read(_plant.Nodes.Find(
        new NodeId(name, _plant.Nodes.Namespaces.GetOrAdd("urn:other"))));

    private T Add<T>(T one)
        where T : IDisposable
    {
        _made.Add(one);
        return one;
    }
}
