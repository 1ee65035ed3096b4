using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.DataSets;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.States;
using Gateway.Publish.Streams;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Groups;

/// <summary>
/// One PubSubConnection: its output and its groups. Other options change only what they must: a group that stays goes
/// on untouched. One that is replaced is watched by its successor before it ends, hands its last changes to the store,
/// and its successor counts on from its numbers. Owner: the service, one call at a time; reports: any thread.
/// Source: Part 14 §6.2.7.
/// </summary>
internal sealed partial class PubSubConnection(OutputFactory outputs, WriterGroupParts parts) : IAsyncDisposable
{
    /// <summary>Batches that wait for the group; newer changes wait in the engine meanwhile.</summary>
    private const int MaxBatches = 4;

    private readonly Dictionary<int, uint> _sequences = [];
    private volatile IReadOnlyList<WriterGroup> _groups = [];
    private volatile IConnectionOutput? _output;

    /// <summary>Those in force.</summary>
    public ConnectionOptions Options { get; private set; } = new();

    public IReadOnlyList<WriterGroup> Groups => _groups;

    /// <summary>Takes options over, also the first ones. With an exception, those before stay in force.</summary>
    /// <param name="next">Without errors.</param>
    /// <param name="key">Of the connection, for messages.</param>
    /// <param name="dataSets">By name.</param>
    /// <exception cref="InvalidOperationException">With the key, for people: a store, an address or keys that cannot be
    /// used.</exception>
    public async Task ApplyAsync(
        ConnectionOptions next, string key, IReadOnlyDictionary<string, PublishedDataSet> dataSets)
    {
        CheckKeys(next, key);
        var isNew = _output is null || NeedsOutput(Options, next);
        var kept = isNew
            ? []
            : _groups.Where(one => next.WriterGroups.Any(group => IsUntouched(one, group, dataSets))).ToList();
        var ended = _groups.Except(kept).ToList();
        var made = next.WriterGroups.Where(group => kept.All(one => one.Options.Name != group.Name))
            .Select(group => Make(next, group, dataSets)).OfType<WriterGroup>().ToList();
        if (!isNew && ended.Count == 0 && made.Count == 0)
        {
            // Its readers alone may have changed.
            Options = next;
            return;
        }

        try
        {
            if (isNew)
                await ReplaceOutputAsync(next, key, dataSets, ended).ConfigureAwait(false);
            else
                await EndAsync(ended).ConfigureAwait(false);
        }
        catch
        {
            await EndAsync(made).ConfigureAwait(false);
            throw;
        }

        if (!isNew)
            _output!.Change(next, OptionsOf(dataSets));
        (var before, Options) = (Options, next);
        Start(next, kept, made);
        Withdraw(before, next, ended);
    }

    public ConnectionReport Report()
    {
        var url = Options.Url;
        var report = new ConnectionReport(
            Options.Name, $"{url?.Scheme}://{url?.Authority}", PubSubState.Operational, "",
            [.. _groups.Select(static group => group.Report())], 0, null, []);
        return _output?.Describe(report) ?? report with { State = PubSubState.Error };
    }

    public async ValueTask DisposeAsync()
    {
        await EndAsync(_groups).ConfigureAwait(false);
        if (_output is not null)
            await _output.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>The Will of an MQTT client is of one mapping.</summary>
    private static bool NeedsOutput(ConnectionOptions now, ConnectionOptions next) =>
        !SameOptions.IsSameAlone(now, next) ||
        now.WriterGroups.Any(static group => group.IsUadp) != next.WriterGroups.Any(static group => group.IsUadp) ||
        now.WriterGroups.All(static group => group.IsUadp) != next.WriterGroups.All(static group => group.IsUadp);

    private static bool IsUntouched(
        WriterGroup group, WriterGroupOptions next, IReadOnlyDictionary<string, PublishedDataSet> dataSets) =>
        SameOptions.IsSame(group.Options, next) && group.DataSets.All(
            one => dataSets.TryGetValue(one.Options.Name, out var now) && ReferenceEquals(one, now));

    private static List<DataSetOptions> OptionsOf(IReadOnlyDictionary<string, PublishedDataSet> dataSets) =>
        [.. dataSets.Values.Select(static one => one.Options)];

    private void CheckKeys(ConnectionOptions next, string key)
    {
        for (var i = 0; i < next.WriterGroups.Count; i++)
        {
            var group = next.WriterGroups[i];
            try
            {
                outputs.CheckKeys(group);
            }
            catch (Exception error) when (error is FormatException or IOException or UnauthorizedAccessException)
            {
                throw new InvalidOperationException(
                    $"{key}:WriterGroups:{i}:KeysPath: '{group.KeysPath}': {error.Message}", error);
            }
        }
    }

    /// <summary>Two outputs cannot have one store: there the old one ends first, and comes back if the new one cannot
    /// begin.</summary>
    private async Task ReplaceOutputAsync(
        ConnectionOptions next, string key, IReadOnlyDictionary<string, PublishedDataSet> dataSets,
        IReadOnlyList<WriterGroup> ended)
    {
        var (before, dataSetOptions) = (_output, OptionsOf(dataSets));
        if (before is null || OutputFactory.StorePathOf(Options) is "" ||
            OutputFactory.StorePathOf(Options) != OutputFactory.StorePathOf(next))
        {
            var output = outputs.Make(next, dataSetOptions, key);
            await EndAsync(ended).ConfigureAwait(false);
            if (before is not null)
                await before.DisposeAsync().ConfigureAwait(false);
            _output = output;
            return;
        }

        await EndAsync(ended).ConfigureAwait(false);
        await before.DisposeAsync().ConfigureAwait(false);
        try
        {
            _output = outputs.Make(next, dataSetOptions, key);
        }
        catch (InvalidOperationException)
        {
            var own = ended.SelectMany(static group => group.DataSets).Distinct()
                .ToDictionary(static one => one.Options.Name);
            _output = outputs.Make(Options, OptionsOf(own), key);
            Start(Options, [], [.. Options.WriterGroups.Select(group => Make(Options, group, own))
                .OfType<WriterGroup>()]);
            throw;
        }
    }

    private async ValueTask EndAsync(IEnumerable<WriterGroup> groups)
    {
        foreach (var group in groups)
        {
            await group.DisposeAsync().ConfigureAwait(false);
            foreach (var (writer, next) in group.Sequences)
                _sequences[writer] = next;
        }
    }

    /// <summary>In the order of the options.</summary>
    private void Start(ConnectionOptions options, IEnumerable<WriterGroup> kept, IReadOnlyList<WriterGroup> made)
    {
        var output = _output!;
        if (!output.IsStarted)
            output.Start();
        foreach (var group in made)
        {
            group.CountFrom(_sequences);
            group.Start(output.WriterOf(group.Options, group.Description), output);
        }

        var all = kept.Concat(made).ToDictionary(static one => one.Options.Name);
        _groups = [.. options.WriterGroups.Select(group => all.GetValueOrDefault(group.Name)).OfType<WriterGroup>()];
    }

    /// <summary>The metadata of writers that have gone, and whose topics nobody has taken over.</summary>
    private void Withdraw(ConnectionOptions before, ConnectionOptions next, IReadOnlyList<WriterGroup> ended)
    {
        if (before.TopicPrefix != next.TopicPrefix || before.Url != next.Url)
            return;
        foreach (var group in ended.Select(static one => one.Options))
        {
            var now = next.WriterGroups.FirstOrDefault(
                one => one.Name == group.Name && one.IsUadp == group.IsUadp && one.IsPlain == group.IsPlain);
            _output!.Withdraw(group, group.DataSetWriters.Where(
                writer => now is null || now.DataSetWriters.All(one => one.Name != writer.Name)));
        }
    }

    /// <summary>Null: the engine gives no stream. It watches from now on.</summary>
    private WriterGroup? Make(
        ConnectionOptions connection, WriterGroupOptions group,
        IReadOnlyDictionary<string, PublishedDataSet> dataSets)
    {
        var stream = parts.Server.OpenStream(
            PublisherCaller.Of(connection, group),
            new StreamOptions { IntervalMs = group.PublishingIntervalMs, MaxBatches = MaxBatches }, out var status);
        if (stream is null)
        {
            LogNoStream(parts.Logger, group.Name, status);
            return null;
        }

        var topics = new TopicTree(connection.TopicPrefix, parts.PublisherId);
        var writers = group.DataSetWriters.Select(writer => (
            new DataSetWriter(dataSets[writer.DataSet], Describe(group, writer, dataSets[writer.DataSet])),
            group.IsPlain
                ? topics.Plain(group.Name, writer.Name) + "/#"
                : topics.Data(
                    group.IsJson, group.Name, group.Batched || group.IsPeriodic ? null : writer.Name))).ToList();
        var description = new GroupDescription
        {
            PublisherId = parts.PublisherId,
            Name = group.Name,
            WriterGroupId = (ushort)group.WriterGroupId,
            JsonMask = MessageMasks.JsonNetworkMessage(group),
            UadpMask = MessageMasks.UadpNetworkMessageOf(group),
        };
        var made = new WriterGroup(group, description, writers, stream, parts);
        made.Watch();
        return made;
    }

    private static WriterDescription Describe(
        WriterGroupOptions group, DataSetWriterOptions writer, PublishedDataSet dataSet) => new()
        {
            Name = writer.Name,
            DataSetWriterId = (ushort)writer.DataSetWriterId,
            MetaData = dataSet.Layout.MetaData,
            FieldContentMask = MessageMasks.Fields(group),
            JsonMask = MessageMasks.JsonDataSetMessage(group),
            UadpMask = MessageMasks.UadpDataSetMessageOf(group),
            HasKeyFramesOnly =
                group.IsUadp && MessageMasks.Fields(group).HasFlag(DataSetFieldContentMask.RawData),
            IsPeriodic = group.IsPeriodic,
        };

    [LoggerMessage(6001, LogLevel.Error, "PubSub: the group {Group} cannot watch anything: {Status}")]
    private static partial void LogNoStream(ILogger logger, string group, StatusCode status);
}
