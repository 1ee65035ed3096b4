using Gateway.Codec.Structures;
using Gateway.PubSub.DataSets;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.States;
using Gateway.Publish.Streams;

namespace Gateway.PubSub.Groups;

/// <summary>One PubSubConnection: its output and its groups. Owner: the service. Source: Part 14 §6.2.7.</summary>
internal sealed class PubSubConnection(ConnectionOptions options, IConnectionOutput output) : IAsyncDisposable
{
    /// <summary>Batches that wait for the group; newer changes wait in the engine meanwhile.</summary>
    private const int MaxBatches = 4;

    private readonly List<WriterGroup> _groups = [];

    public ConnectionOptions Options => options;

    public IConnectionOutput Output => output;

    public IReadOnlyList<WriterGroup> Groups => _groups;

    /// <summary>Bad: the engine gives no stream. Errors: those of <see cref="GroupKeys.SealerOf"/>.</summary>
    public Codec.Types.StatusCode AddGroup(
        WriterGroupOptions group, string publisherId, IReadOnlyDictionary<string, PublishedDataSet> dataSets,
        WriterGroupParts parts)
    {
        var description = new GroupDescription
        {
            PublisherId = publisherId,
            Name = group.Name,
            WriterGroupId = (ushort)group.WriterGroupId,
            JsonMask = MessageMasks.JsonNetworkMessage(group),
            UadpMask = MessageMasks.UadpNetworkMessage,
        };
        var message = output.WriterOf(group, description);
        var stream = parts.Server.OpenStream(
            parts.Caller, new StreamOptions { IntervalMs = group.PublishingIntervalMs, MaxBatches = MaxBatches },
            out var status);
        if (stream is null)
            return status;
        var topics = new TopicTree(options.TopicPrefix, publisherId);
        var writers = group.DataSetWriters.Select(writer => (
            new DataSetWriter(dataSets[writer.DataSet], Describe(group, writer, dataSets[writer.DataSet])),
            group.IsPlain
                ? topics.Plain(group.Name, writer.Name) + "/#"
                : topics.Data(group.IsJson, group.Name, group.Batched ? null : writer.Name))).ToList();
        _groups.Add(new WriterGroup(group, description, writers, message, stream, parts));
        return status;
    }

    public void Start()
    {
        output.Start();
        foreach (var group in _groups)
            group.Start();
    }

    public ConnectionReport Report()
    {
        var url = options.Url!;
        return output.Describe(new ConnectionReport(
            options.Name, $"{url.Scheme}://{url.Authority}", PubSubState.Operational, "",
            [.. _groups.Select(static group => group.Report())], 0, null, []));
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var group in _groups)
            await group.DisposeAsync().ConfigureAwait(false);
        await output.DisposeAsync().ConfigureAwait(false);
    }

    private static WriterDescription Describe(
        WriterGroupOptions group, DataSetWriterOptions writer, PublishedDataSet dataSet) => new()
        {
            Name = writer.Name,
            DataSetWriterId = (ushort)writer.DataSetWriterId,
            MetaData = dataSet.Layout.MetaData,
            FieldContentMask = MessageMasks.Fields(group),
            JsonMask = MessageMasks.JsonDataSetMessage(group),
            UadpMask = MessageMasks.UadpDataSetMessage,
        };
}
