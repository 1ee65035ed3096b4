using System.Net.Sockets;
using Gateway.AddressSpace.Nodes;
using Gateway.Mqtt;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.PubSub.Options;
using Gateway.PubSub.Uadp.Security;
using Gateway.Store;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Outputs;

/// <summary>Makes the output of a connection by its address.</summary>
internal sealed class OutputFactory(
    PublisherFacts publisher, PubSubLimits limits, NodeTable nodes, TableStructures structures, GroupKeys keys,
    TimeProvider time, ILoggerFactory loggers, Func<string, int, CancellationToken, ValueTask<Stream>> connect,
    IProbeAnswersFactory? probes = null)
{
    private const int MinSegmentBytes = 64 * 1024;
    private const int MaxSegmentBytes = 16 * 1024 * 1024;
    private const int SegmentsPerStore = 8;
    private const int MaxMetaDataBytes = 16 << 20;

    /// <summary>Three for each publisher, and as many again while they change.</summary>
    private const int MaxReaderSubscriptions = 4096;

    /// <summary>For the last acknowledgements and the farewell, each; a broker that does not answer must not use up the
    /// time of a stop (Shutdown:GraceSeconds).</summary>
    private static readonly TimeSpan DrainDeadline = TimeSpan.FromSeconds(2);

    public string PublisherId => publisher.PublisherId;

    /// <param name="options">Of the connection.</param>
    /// <param name="dataSets">All of them.</param>
    /// <param name="key">Of the connection.</param>
    /// <exception cref="InvalidOperationException">With the key, for people: the store's folder or the address cannot
    /// be used.</exception>
    public IConnectionOutput Make(ConnectionOptions options, IReadOnlyList<DataSetOptions> dataSets, string key)
    {
        var logger = loggers.CreateLogger($"Gateway.PubSub.{options.Name}");
        try
        {
            return options.IsMqtt ? MakeMqtt(options, dataSets, key, logger) : MakeUdp(options, dataSets, logger);
        }
        catch (StoreException error)
        {
            throw new InvalidOperationException($"{key}:StorePath: {error.Message}", error);
        }
        catch (SocketException error)
        {
            throw new InvalidOperationException(
                $"{key}:Address: '{options.Address}' cannot be used: {error.Message}", error);
        }
    }

    /// <summary>Throws as <see cref="GroupKeys.SealerOf"/> where a group's keys cannot be had.</summary>
    public void CheckKeys(WriterGroupOptions group) => keys.Check(group);

    /// <summary>Empty: there is none.</summary>
    public static string StorePathOf(ConnectionOptions options) => !options.IsMqtt ? ""
        : options.StorePath.Length > 0 ? options.StorePath
        : Path.Combine("pubsub", options.Name);

    private UdpOutput MakeUdp(ConnectionOptions options, IReadOnlyList<DataSetOptions> dataSets, ILogger logger)
    {
        var id = options.WireIdOf(PublisherId);
        var target = new DatagramTarget(DatagramAddress.Of(options.Url!, options));
        var output = new UdpOutput(target, id, limits, keys, time, logger);
        if (options.ProbeUrl is null || probes is null)
            return output;
        output.AnswerProbes(probes.Make(options, id, output.Send, logger));
        output.Change(options, dataSets);
        return output;
    }

    /// <summary>For the probes of readers. Errors: as <see cref="GroupKeys.SealerOf"/>.</summary>
    public UadpSealer? SealerOf(ReaderGroupOptions group) => keys.SealerOf(group);

    private MqttOutput MakeMqtt(
        ConnectionOptions options, IReadOnlyList<DataSetOptions> dataSets, string key, ILogger logger)
    {
        var topics = new TopicTree(options.TopicPrefix, PublisherId);
        var messages = new BrokerMessages(publisher, options, dataSets, topics, nodes, keys);
        var will = messages.Will();
        var clientId = options.ClientId.Length > 0 ? options.ClientId : $"gateway-{PublisherId}-{options.Name}";
        var description = DescribeClient(options, clientId);
        var client = Client(description with
        {
            // Metadata of ten thousand fields has some megabytes.
            Limits = description.Limits with { MaxPacketSizeBytes = MaxMetaDataBytes },
            Will = new MqttWill
            {
                Topic = will.Topic,
                Payload = will.Payload,
                Qos = MqttQos.AtLeastOnce,
                Retain = true,
            },
        });
        return new MqttOutput(
            client, OpenStore(options, key, logger), (MqttQos)options.Qos, topics,
            new MqttMappings(
                nodes, structures, limits, PublisherId, topics, keys, options.WireIdOf(PublisherId)),
            messages, time, logger);
    }

    /// <summary>Of the readers: a client of its own, with no session that outlives it. By default its name differs at
    /// each start, so that two gateways with the same PublisherId do not take the broker from each other.</summary>
    public MqttClient MakeReaderClient(ConnectionOptions options)
    {
        var description = DescribeClient(
            options, options.ClientId.Length > 0 ? options.ClientId + "-in" : $"gateway-in-{Guid.NewGuid():N}");
        return Client(description with
        {
            Limits = description.Limits with
            {
                MaxPacketSizeBytes = MaxMetaDataBytes,
                MaxSubscriptions = MaxReaderSubscriptions,
            },
        });
    }

    /// <summary>Its socket is one of those that the process opens itself.</summary>
    private MqttClient Client(MqttClientOptions options) => new(options) { Connect = connect };

    public ISecurityKeySource? KeysOf(ReaderGroupOptions group) => keys.SourceOf(group);

    private MqttClientOptions DescribeClient(ConnectionOptions options, string clientId)
    {
        var client = BrokerClients.Describe(options, clientId);
        return client with
        {
            Limits = client.Limits with
            {
                DrainDeadline = DrainDeadline,
                MaxWaitingPublishes = 4 * MqttOutput.MaxUnderWay,
                MaxPacketSizeBytes = 2 * limits.MaxPubSubMessageBytes,
            },
        };
    }

    private StoreLog OpenStore(ConnectionOptions options, string key, ILogger logger)
    {
        var recordBytes = limits.MaxPubSubMessageBytes + ushort.MaxValue;
        var memoryBytes = MemoryBytesOf(options.StoreMaxBytes, recordBytes);
        if (options.StoreMaxBytes < 2 * memoryBytes)
            throw new InvalidOperationException(
                $"{key}:StoreMaxBytes: {options.StoreMaxBytes} is below {2 * memoryBytes}, which messages of " +
                $"Limits:MaxPubSubMessageBytes ({limits.MaxPubSubMessageBytes}) need");
        var segmentBytes = (int)Math.Clamp(options.StoreMaxBytes / SegmentsPerStore, MinSegmentBytes, MaxSegmentBytes);
        return StoreLog.Open(
            new StoreOptions
            {
                Directory = StorePathOf(options),
                Name = options.Name,
                MaxBytes = options.StoreMaxBytes,
                SegmentBytes = segmentBytes,
                MaxRecordBytes = recordBytes,
                MemoryBytes = (int)Math.Min(int.MaxValue, memoryBytes),
                MaxOutstanding = 2 * MqttOutput.MaxUnderWay,
                Order = options.StoreOrder switch
                {
                    "live-first" => ReadOrder.LiveFirst,
                    "newest-first" => ReadOrder.NewestFirst,
                    _ => ReadOrder.OldestFirst,
                },
                MaxDrainBytesPerSecond = options.StoreDrainBytesPerSecond,
                Fsync = options.StoreFsync switch
                {
                    "each" => FsyncPolicy.Each,
                    "never" => FsyncPolicy.Never,
                    _ => FsyncPolicy.Interval,
                },
            }, time, logger);
    }

    /// <summary>A quarter of the store, and room for several of the largest records whatever their limit is.</summary>
    private static long MemoryBytesOf(long storeBytes, int recordBytes) =>
        Math.Max(4L * recordBytes, Math.Min(storeBytes / 4, MaxSegmentBytes));
}
