using System.Net;
using System.Net.Sockets;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.Probes;
using Gateway.PubSub.Readers;
using Gateway.PubSub.Tests.DataSets;
using Gateway.PubSub.Tests.Uadp;
using Gateway.PubSub.Uadp;
using Gateway.PubSub.Uadp.Discovery;
using Gateway.PubSub.Uadp.Reading;
using Gateway.Testing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.PubSub.Tests.Probes;

/// <summary>When readers ask for metadata, and that they get it.</summary>
public sealed class MetaDataProberTests : IDisposable
{
    private readonly Plant _plant = new();
    private readonly DataSetReader[] _readers;
    private readonly MetaDataProber _prober;
    private readonly List<byte[]> _sent = [];

    public MetaDataProberTests()
    {
        var parts = new ReaderParts(_plant.Nodes, _plant.Values, new PubSubLimits(), _plant.Time);
        _readers =
        [
            .. Enumerable.Range(1, 2).Select(id => new DataSetReader("c", "g", new DataSetReaderOptions
            {
                Name = $"r{id}",
                PublisherId = "7",
                DataSetWriterId = id,
            }, parts)),
        ];
        _prober = new MetaDataProber("7", _readers, static () => null, _plant.Time) { DelayMs = static () => 300 };
    }

    public void Dispose() => _prober.Dispose();

    /// <summary>After the random delay, then at intervals that double. Source: Part 14 §7.2.4.6.10.</summary>
    [Fact]
    public void NoMetaData_ProbesAtDoublingIntervals()
    {
        var at = new List<double>();
        for (var ms = 0; ms <= 200_000; ms += 100)
        {
            if (Look())
                at.Add(ms);
            _plant.Time.Advance(100);
        }

        Assert.Equal(
            [300, 800, 1800, 3800, 7800, 15_800, 31_800, 63_800, 123_800, 183_800], at.Select(static ms => (int)ms));
        Assert.Equal([(ushort)1, (ushort)2], Probe(0).DataSetWriterIds);
    }

    [Fact]
    public void MetaDataComesInTheDelay_NoProbe()
    {
        Assert.False(Look());
        foreach (var reader in _readers)
            Assert.True(reader.TryTake(MetaDataOf(1)));
        _plant.Time.Advance(1000);

        Assert.False(Look());
        Assert.Empty(_sent);
    }

    [Fact]
    public void MessagesOfAnotherVersion_TheirWriterIsAskedFor()
    {
        foreach (var reader in _readers)
            Assert.True(reader.TryTake(MetaDataOf(1)));
        Look();

        _readers[1].Take(new ReceivedDataSet { Kind = FrameKind.KeyFrame, Fields = [] });
        Assert.Equal(1, _readers[1].Problems.Of(ReaderProblem.MetaDataOutdated));
        Look();
        _plant.Time.Advance(300);
        Assert.True(Look());

        Assert.Equal([(ushort)2], Probe(0).DataSetWriterIds);
        Assert.True(_readers[1].TryTake(MetaDataOf(2)));
        _plant.Time.Advance(10_000);
        Assert.False(Look());
    }

    /// <summary>The publisher compares text; other stacks compare types, too.</summary>
    [Fact]
    public void PublisherIdOfANumber_TheProbeHasItsType()
    {
        _readers[0].WireType = UadpPublisherIdType.UInt16;
        Look();
        _plant.Time.Advance(300);
        Look();

        Assert.Equal(UadpPublisherId.Of((ushort)7), Probe(0).PublisherId);
    }

    /// <summary>By datagrams, and without the announcements that come anyway: the publisher's time stands still.
    /// </summary>
    [Fact]
    public async Task ReaderThatComesLater_AsksAndGetsTheMetaData()
    {
        var (data, probes) = (FreePort(), FreePort());
        var publisherTime = new ManualTimeProvider();
        using var keys = new GroupKeys("none", publisherTime, NullLoggerFactory.Instance);
        await using var output = new UdpOutput(
            new DatagramTarget(new("127.0.0.1", data)), UadpPublisherId.Of("7"), new PubSubLimits(), keys,
            publisherTime,
            NullLogger.Instance);
        var answers = new ProbeAnswers(
            UadpPublisherId.Of("7"), static () => [], new PubSubLimits(), publisherTime, output.Send,
            own => new DatagramLink(new("127.0.0.1", probes), [own], TimeProvider.System, NullLogger.Instance),
            NullLogger.Instance);
        output.AnswerProbes(answers);
        output.Start();
        var group = new GroupDescription { PublisherId = "7", Name = "g", WriterGroupId = 1 };
        using var writer = (UadpNetworkMessageWriter)output.WriterOf(
            new WriterGroupOptions
            {
                Name = "g",
                Encoding = "uadp",
                DataSetWriters = [new() { DataSetWriterId = 1 }, new() { DataSetWriterId = 2 }],
            }, group);
        foreach (var id in new ushort[] { 1, 2 })
            output.Announce(new Announcement(
                group, new WriterDescription { Name = "w", DataSetWriterId = id, MetaData = MetaDataOf(1) }, ""));

        using var input = new UadpInput(
            new ReaderGroupOptions { Name = "g", Encoding = "uadp" }, _readers,
            new ReaderParts(_plant.Nodes, _plant.Values, new PubSubLimits(), _plant.Time), null, isBroker: false);
        await using var link = new ProbingLink(
            new DatagramLink(new("127.0.0.1", data), [], TimeProvider.System, NullLogger.Instance),
            new DatagramTarget(new("127.0.0.1", probes)), static _ => null, _plant.Time,
            static error => Assert.Fail(error.ToString()));
        link.Change([new ReaderGroup(new ReaderGroupOptions { Name = "g", Encoding = "uadp" }, _readers, input)]);
        link.Start();

        using CancellationTokenSource patience = new(Patience.Limit);
        while (_readers.Any(static one => one.MetaData is null))
        {
            patience.Token.ThrowIfCancellationRequested();
            _plant.Time.Advance(100);
            if (answers.Taken > 0)
                publisherTime.Advance(100);
        }

        Assert.All(_readers, static one => Assert.Equal("A", Assert.Single(one.MetaData!.Fields!).Name));
        Assert.True(answers.Taken > 0);
    }

    private static int FreePort()
    {
        using var socket = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)socket.Client.LocalEndPoint!).Port;
    }

    private bool Look() => _prober.Look(datagram => _sent.Add(datagram.ToArray()));

    private UadpProbe Probe(int index)
    {
        using var reader = new UadpNetworkMessageReader(
            new UadpReaderOptions(), new UadpDirectory(), null, TimeProvider.System);
        return reader.Read(_sent[index]).Probe!;
    }

    private static DataSetMetaDataType MetaDataOf(uint version) => new()
    {
        Name = "line",
        Fields = [new FieldMetaData { Name = "A", BuiltInType = 11, DataType = new NodeId(11), ValueRank = -1 }],
        ConfigurationVersion = new ConfigurationVersionDataType { MajorVersion = version, MinorVersion = version },
    };
}
