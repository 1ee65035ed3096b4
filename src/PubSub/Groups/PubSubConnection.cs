using Gateway.Codec.Structures;
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
        var made = await MakeAllAsync(
            next, key, group => kept.All(one => one.Options.Name != group.Name), dataSets).ConfigureAwait(false);
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
            // They have not begun: the numbers of those before them hold.
            foreach (var group in made)
                await group.DisposeAsync().ConfigureAwait(false);
            throw;
        }

        if (!isNew)
            _output!.Change(next, OptionsOf(dataSets));
        (var before, Options) = (Options, next);
        Start(next, kept, made);
        Withdraw(before, next, ended);
    }

    /// <param name="explainsGaps">Of <see cref="IPubSubState.ReadConnections"/>.</param>
    public ConnectionReport Report(bool explainsGaps)
    {
        var url = Options.Url;
        var report = new ConnectionReport(
            Options.Name, $"{url?.Scheme}://{url?.Authority}", PubSubState.Operational, "",
            [.. _groups.Select(static group => group.Report())], 0, null, []);
        return _output?.Describe(report, explainsGaps) ?? report with { State = PubSubState.Error };
    }

    /// <summary>The options no longer name it.</summary>
    /// <param name="next">All connections of the new ones: one of them may take the store over.</param>
    public async ValueTask EndAsync(IEnumerable<ConnectionOptions> next)
    {
        await EndAsync(_groups).ConfigureAwait(false);
        _groups = [];
        if (_output is not null)
            TellLeft(_output, next);
        await DisposeAsync().ConfigureAwait(false);
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
            {
                TellLeft(before, [next]);
                await before.DisposeAsync().ConfigureAwait(false);
            }

            _output = output;
            return;
        }

        await EndAsync(ended).ConfigureAwait(false);
        await before.DisposeAsync().ConfigureAwait(false);
        // Until there is another: what has ended must not look as if it went on.
        (_output, _groups) = (null, []);
        try
        {
            _output = outputs.Make(next, dataSetOptions, key);
        }
        catch (InvalidOperationException)
        {
            await BeginAgainAsync(key, ended).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>With the options before. Where that fails too, the next change of options tries again.</summary>
    private async Task BeginAgainAsync(string key, IReadOnlyList<WriterGroup> ended)
    {
        var own = ended.SelectMany(static group => group.DataSets).Distinct()
            .ToDictionary(static one => one.Options.Name);
        try
        {
            var groups = await MakeAllAsync(Options, key, static _ => true, own).ConfigureAwait(false);
            try
            {
                _output = outputs.Make(Options, OptionsOf(own), key);
            }
            catch (InvalidOperationException)
            {
                foreach (var group in groups)
                    await group.DisposeAsync().ConfigureAwait(false);
                throw;
            }

            Start(Options, [], groups);
        }
        catch (InvalidOperationException error)
        {
            LogEnded(parts.Logger, Options.Name, error.Message);
        }
    }

    /// <summary>Nobody sends what waits in a store that no connection names any more.</summary>
    private void TellLeft(IConnectionOutput before, IEnumerable<ConnectionOptions> next)
    {
        if (OutputFactory.StorePathOf(Options) is { Length: > 0 } path &&
            next.All(one => OutputFactory.StorePathOf(one) != path) &&
            before.Describe(Report(explainsGaps: false), explainsGaps: false).Store is { Records: > 0 } store)
            LogLeft(parts.Logger, Options.Name, store.Records, path);
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

    /// <summary>They watch from now on, and have not begun.</summary>
    /// <exception cref="InvalidOperationException">With the key, for people: the engine gives no stream. None is left.
    /// </exception>
    private async Task<List<WriterGroup>> MakeAllAsync(
        ConnectionOptions connection, string key, Func<WriterGroupOptions, bool> isOne,
        IReadOnlyDictionary<string, PublishedDataSet> dataSets)
    {
        var made = new List<WriterGroup>();
        try
        {
            for (var i = 0; i < connection.WriterGroups.Count; i++)
            {
                if (isOne(connection.WriterGroups[i]))
                    made.Add(Make(connection, connection.WriterGroups[i], $"{key}:WriterGroups:{i}", dataSets));
            }

            return made;
        }
        catch
        {
            foreach (var group in made)
                await group.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Errors: of <see cref="MakeAllAsync"/>.</summary>
    private WriterGroup Make(
        ConnectionOptions connection, WriterGroupOptions group, string key,
        IReadOnlyDictionary<string, PublishedDataSet> dataSets)
    {
        var stream = parts.Server.OpenStream(
            PublisherCaller.Of(connection, group),
            new StreamOptions { IntervalMs = group.PublishingIntervalMs, MaxBatches = MaxBatches }, out var status) ??
            throw new InvalidOperationException($"{key}: the group '{group.Name}' cannot watch anything: {status}");
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
            FieldContentMask = MessageMasks.Fields(group, dataSet.Options),
            JsonMask = MessageMasks.JsonDataSetMessage(group),
            UadpMask = MessageMasks.UadpDataSetMessageOf(group),
            HasKeyFramesOnly =
                group.IsUadp &&
                MessageMasks.Fields(group, dataSet.Options).HasFlag(DataSetFieldContentMask.RawData),
            IsPeriodic = group.IsPeriodic,
        };

    [LoggerMessage(6001, LogLevel.Error,
        "PubSub: {Connection} publishes nothing until its options change: its own cannot be used either ({Words})")]
    private static partial void LogEnded(ILogger logger, string connection, string words);

    [LoggerMessage(6004, LogLevel.Warning,
        "PubSub: {Connection} has another store: {Messages} messages wait in {Path}, and nobody sends them")]
    private static partial void LogLeft(ILogger logger, string connection, long messages, string path);
}
