using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.Probes;
using Gateway.PubSub.Tests.Uadp;
using Gateway.PubSub.Uadp;
using Gateway.PubSub.Uadp.Discovery;
using Gateway.PubSub.Uadp.Reading;
using Gateway.PubSub.Uadp.Security;
using Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;
using static Gateway.PubSub.Tests.Uadp.UadpPlant;

namespace Gateway.PubSub.Tests.Probes;

/// <summary>What a publisher answers to probes, and how seldom.</summary>
public sealed class ProbeAnswersTests : IAsyncLifetime, IDisposable
{
    private static readonly PubSubLimits Limits = new()
    {
        MaxPubSubProbesPerSecond = 50,
        MaxPubSubProbeAnswers = 2,
        PubSubProbePause = TimeSpan.FromMilliseconds(400),
    };

    private readonly ManualTimeProvider _time = new();
    private readonly List<byte[]> _sent = [];
    private readonly List<IDisposable> _made = [];
    private readonly Keys _keys = new();
    private readonly UadpNonces _nonces;
    private readonly ProbeAnswers _answers;

    public ProbeAnswersTests()
    {
        _nonces = new UadpNonces(new NonceRegister(), _time);
        _answers = new ProbeAnswers(
            UadpPublisherId.Of("plant"),
            static () => [new EndpointDescription { EndpointUrl = "opc.tcp://plant:4840" }], Limits, _time,
            datagram => _sent.Add(datagram.ToArray()), static _ => throw new NotSupportedException(),
            NullLogger.Instance);
        _answers.Use(new PubSubConnectionDataType
        {
            WriterGroups =
            [
                new WriterGroupDataType
                {
                    Name = "open",
                    WriterGroupId = 1,
                    DataSetWriters =
                    [
                        new DataSetWriterDataType { DataSetWriterId = 1 },
                        new DataSetWriterDataType { DataSetWriterId = 2 },
                        new DataSetWriterDataType { DataSetWriterId = 3 },
                    ],
                },
            ],
        });
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync() => await _answers.DisposeAsync();

    public void Dispose() => _made.ForEach(static one => one.Dispose());

    [Fact]
    public void MetaData_AskedFor_IsAnnouncedForEachWriter()
    {
        AddGroup("open", "None", 1, 2, 3);

        Assert.True(Ask(UadpAnnouncementType.DataSetMetaData, null, 1, 3));
        Assert.Empty(_sent);
        _answers.Answer();

        Assert.Equal(
            [(ushort)1, (ushort)3],
            Sent().Select(static one => Assert.Single(one.DataSetWriterIds)).Order());
        Assert.All(Sent(), static one => Assert.NotEmpty(one.MetaData!.Fields!));
        Assert.Equal((1, 0), (_answers.Taken, _answers.Refused));
    }

    /// <summary>Part 14 §7.2.4.6.10: those of one group are in one announcement.</summary>
    [Fact]
    public void Configuration_AskedFor_IsOneAnnouncement()
    {
        AddGroup("open", "None", 1, 2, 3);

        Ask(UadpAnnouncementType.DataSetWriterConfiguration, null, 1);
        Ask(UadpAnnouncementType.DataSetWriterConfiguration, null, 2);
        _answers.Answer();

        var answer = Assert.Single(Sent());
        Assert.Equal([(ushort)1, (ushort)2], answer.DataSetWriterIds.Order());
        Assert.Equal(2, answer.Configuration!.DataSetWriters!.Length);
        Assert.All(answer.Statuses, static one => Assert.True(one.IsGood));
    }

    [Fact]
    public void Endpoints_AskedFor_AreTheGateways()
    {
        AddGroup("open", "None", 1);

        Ask(UadpAnnouncementType.PublisherEndpoints, null);
        _answers.Answer();

        Assert.Equal("opc.tcp://plant:4840", Assert.Single(Assert.Single(Sent()).Endpoints).EndpointUrl);
    }

    [Fact]
    public void Writer_ThatIsNotThere_IsDenied()
    {
        AddGroup("open", "None", 1);

        Ask(UadpAnnouncementType.DataSetMetaData, null, 77, 78);
        _answers.Answer();

        var answer = Assert.Single(Sent());
        Assert.Equal(StatusCodes.BadNotFound, Assert.Single(answer.Statuses).Code);
        Assert.Contains(Assert.Single(answer.DataSetWriterIds), (IEnumerable<ushort>)[77, 78]);
    }

    /// <summary>Data leaves over the same socket.</summary>
    [Fact]
    public void ManyAnswers_LeaveAFewAtATime()
    {
        AddGroup("open", "None", 1, 2, 3, 4, 5);
        Ask(UadpAnnouncementType.DataSetMetaData, null, 1, 2, 3, 4, 5);

        foreach (var sent in new[] { 2, 4, 5, 5 })
        {
            _answers.Answer();
            Assert.Equal(sent, _sent.Count);
        }
    }

    /// <summary>However many ask however often: the same answer rests for a while.</summary>
    [Fact]
    public void SameQuestion_Often_OneAnswerInThePause()
    {
        AddGroup("open", "None", 1);
        for (var turn = 0; turn < 8; turn++)
        {
            for (var i = 0; i < 5; i++)
                Ask(UadpAnnouncementType.DataSetMetaData, null, 1);
            _answers.Answer();
            _time.Advance(100);
        }

        Assert.Equal(2, _sent.Count);
    }

    [Fact]
    public void Flood_IsCountedAndNotLookedAt()
    {
        AddGroup("open", "None", 1);

        for (var i = 0; i < Limits.MaxPubSubProbesPerSecond + 30; i++)
            Ask(UadpAnnouncementType.DataSetMetaData, null, 1);
        Assert.Equal((Limits.MaxPubSubProbesPerSecond, 30), (_answers.Taken, _answers.Refused));

        _time.Advance(1000);
        Ask(UadpAnnouncementType.DataSetMetaData, null, 1);
        Assert.Equal(Limits.MaxPubSubProbesPerSecond + 1, _answers.Taken);
    }

    /// <summary>A stranger can neither learn of a sealed group nor make it speak.</summary>
    [Fact]
    public void SealedGroup_AnswersSealedProbesAlone()
    {
        AddGroup("sealed", "SignAndEncrypt", 1);

        Ask(UadpAnnouncementType.DataSetMetaData, null, 1);
        _answers.Answer();
        Assert.Empty(_sent);
        Assert.Equal((0, 1), (_answers.Taken, _answers.Refused));

        var probe = ProbeOf(UadpAnnouncementType.DataSetMetaData, Sealer("SignAndEncrypt"), 1);
        _answers.TryTake(null, probe);
        // Recorded and sent again.
        _answers.TryTake(null, probe);
        _answers.Answer();

        Assert.Equal((1, 2), (_answers.Taken, _answers.Refused));
        using var none = new UadpNetworkMessageReader(new UadpReaderOptions(), new UadpDirectory(), null, _time);
        Assert.Equal(UadpReadProblem.UnknownKey, none.Read(Assert.Single(_sent)).Problem);
        using var reader = new UadpNetworkMessageReader(
            new UadpReaderOptions { SecurityMode = MessageSecurityMode.SignAndEncrypt }, new UadpDirectory(), _keys,
            _time);
        Assert.Equal([(ushort)1], reader.Read(_sent[0]).Announcement!.DataSetWriterIds);
    }

    /// <summary>Each subscriber counts for itself, wherever the other is; what it sent comes once.</summary>
    [Fact]
    public void SealedGroup_TwoSubscribers_BothAreHeard()
    {
        AddGroup("sealed", "Sign", 1);
        var far = new UadpNonces(new NonceRegister(), _time);
        for (var i = 0; i < 500; i++)
            Assert.True(far.TryNext(_keys.Current!.Keys[0], out _));
        byte[][] probes =
        [
            .. new[] { far, _nonces, far, _nonces }.Select(one => ProbeOf(
                UadpAnnouncementType.DataSetMetaData,
                new UadpSealer(MessageSecurityMode.Sign, _keys, one, _time), 1)),
        ];

        foreach (var probe in probes)
            _answers.TryTake(null, probe);
        Assert.Equal((4, 0), (_answers.Taken, _answers.Refused));
        foreach (var probe in probes)
            _answers.TryTake(null, probe);
        Assert.Equal((4, 4), (_answers.Taken, _answers.Refused));
    }

    [Fact]
    public void OfAnotherPublisher_OrNoProbe_IsNotItsOwn()
    {
        AddGroup("open", "None", 1);
        using var other = new UadpDiscoveryWriter(new UadpWriterOptions { PublisherId = UadpPublisherId.Of("other") });
        Assert.True(other.TryWriteProbe(UadpAnnouncementType.DataSetMetaData, 1));

        Assert.False(_answers.TryTake(null, other.Part(0).Span));
        Assert.True(other.TryWriteStatus(PubSubState.Operational));
        Assert.False(_answers.TryTake(null, other.Part(0).Span));
        Assert.Equal((0, 0), (_answers.Taken, _answers.Refused));
    }

    [Fact]
    public void CutAnywhere_NeverThrows()
    {
        AddGroup("open", "None", 1);
        var probe = ProbeOf(UadpAnnouncementType.DataSetMetaData, null, 1);

        for (var length = 0; length < probe.Length; length++)
            _answers.TryTake(null, probe.AsSpan(0, length));
        _answers.Answer();

        Assert.Equal(0, _answers.Taken);
        Assert.Empty(_sent);
    }

    private bool Ask(UadpAnnouncementType type, UadpSealer? sealer, params ushort[] writers) =>
        _answers.TryTake(null, ProbeOf(type, sealer, writers));

    private static byte[] ProbeOf(UadpAnnouncementType type, UadpSealer? sealer, params ushort[] writers)
    {
        using var writer = new UadpDiscoveryWriter(
            new UadpWriterOptions { PublisherId = UadpPublisherId.Of("plant") }, sealer);
        Assert.True(writer.TryWriteProbe(type, writers));
        return writer.Part(0).ToArray();
    }

    private List<UadpAnnouncement> Sent()
    {
        using var reader = new UadpNetworkMessageReader(new UadpReaderOptions(), new UadpDirectory(), null, _time);
        return [.. _sent.Select(one => reader.Read(one).Announcement!)];
    }

    private UadpSealer? Sealer(string mode) => mode == "None"
        ? null
        : new UadpSealer(SecurityModes.Of(mode), _keys, _nonces, _time);

    private void AddGroup(string name, string mode, params ushort[] writers)
    {
        var options = new WriterGroupOptions
        {
            Name = name,
            Encoding = "uadp",
            SecurityMode = mode,
            DataSetWriters = [.. writers.Select(static id => new DataSetWriterOptions { DataSetWriterId = id })],
        };
        var announcer = new DatagramAnnouncer(
            options, new UadpWriterOptions { PublisherId = UadpPublisherId.Of("plant") }, Sealer(mode));
        _made.Add(announcer);
        foreach (var id in writers)
            announcer.Announce(Writer(id, default, default, MetaOf(BuiltInType.Double)), static _ => { });
        _answers.Add(options, announcer, mode == "None" ? null : _keys);
    }

    private sealed class Keys : ISecurityKeySource
    {
        public SecurityKeySet? Current { get; } = new(PubSubSecurityPolicy.Aes128Ctr,
            [new SecurityKey(PubSubSecurityPolicy.Aes128Ctr, 1, [.. Enumerable.Range(0, 52).Select(i => (byte)i)])]);
    }
}
