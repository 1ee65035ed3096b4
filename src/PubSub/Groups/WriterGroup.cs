using Gateway.Codec.Types;
using Gateway.PubSub.DataSets;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.States;
using Gateway.Publish.Items;
using Gateway.Publish.Streams;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Groups;

/// <summary>
/// One WriterGroup. The changes of all its writers come by one stream of the engine, at the publishing interval; each
/// becomes a field of a delta frame or a key frame. A timer of the same interval sends what is due without a change:
/// key frames, keep-alives, new metadata. Owner: the connection. Threads: the loop and the timer, one at a time under
/// the group's lock. Source: Part 14 §6.2.6.
/// </summary>
internal sealed partial class WriterGroup : IAsyncDisposable
{
    /// <summary>Of an item that is added last: its first value says that the changes before it are there.</summary>
    private const uint EndHandle = uint.MaxValue;

    private static readonly TimeSpan EndDeadline = TimeSpan.FromSeconds(1);

    /// <summary>For fields that cannot be watched.</summary>
    private static readonly TimeSpan TryInterval = TimeSpan.FromSeconds(5);

    private readonly Lock _lock = new();
    private readonly TaskCompletionSource _drained = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly WriterGroupParts _parts;
    private readonly GroupDescription _description;
    private readonly IReadOnlyList<(DataSetWriter Writer, string Topic)> _topics;
    private readonly DataSetWriter[] _writers;
    private readonly ValueStream _stream;
    private readonly GroupItems _items;
    private readonly Action<Exception> _logFault;
    private readonly DataSetLayout?[] _announced;
    private readonly bool _hasKeepAlives;

    // Of the start.
    private INetworkMessageWriter _message = null!;
    private MessagePacker _packer = null!;
    private IMessageOutput? _output;
    private ITimer? _timer;
    private Task _loop = Task.CompletedTask;
    private int _isTicking;
    private long _triedAt;
    private bool _isEnded;
    private bool _isEndSeen;
    private string? _hindrance;
    private string? _formless;

    /// <param name="options">Without errors.</param>
    /// <param name="description">Of its messages.</param>
    /// <param name="writers">Of its DataSetWriters, in order, with the topic of each.</param>
    /// <param name="stream">Of its own.</param>
    /// <param name="parts">The parts that all groups use.</param>
    public WriterGroup(
        WriterGroupOptions options, GroupDescription description,
        IReadOnlyList<(DataSetWriter Writer, string Topic)> writers, ValueStream stream, WriterGroupParts parts)
    {
        (Options, _description, _stream, _parts) = (options, description, stream, parts);
        _writers = [.. writers.Select(static one => one.Writer)];
        _topics = writers;
        _hasKeepAlives = options.HasKeepAlives;
        _announced = new DataSetLayout?[writers.Count];
        _items = new GroupItems(stream, parts.Limits);
        _logFault = error => LogFault(parts.Logger, options.Name, error);
    }

    public WriterGroupOptions Options { get; }

    public GroupCounters Counters { get; } = new();

    public GroupReport Report() => new(
        Options.Name, Volatile.Read(ref _hindrance), Options.Encoding, _stream.IntervalMs, Counters.Messages,
        Counters.Bytes, Counters.Values, Counters.Lost, Counters.TooLarge, _stream.Skipped, _items.Refused,
        [
            .. _writers.Select((one, i) => new WriterReport(
                one.Description.Name, one.Description.DataSetWriterId, one.DataSet.Options.Name, one.Messages,
                _topics[i].Topic)),
        ])
    {
        WriterGroupId = (ushort)Options.WriterGroupId,
        KeepAliveMs = Options.KeepAliveMs,
        Errors = Counters.Errors,
        Returns = Counters.Returns,
    };

    public GroupDescription Description => _description;

    /// <summary>Its data sets.</summary>
    public IEnumerable<PublishedDataSet> DataSets => _writers.Select(static one => one.DataSet);

    /// <summary>After its end: the number of the next message of each DataSetWriter.</summary>
    public IEnumerable<KeyValuePair<int, uint>> Sequences => _writers.Select(
        static one => KeyValuePair.Create((int)one.Description.DataSetWriterId, one.NextSequence));

    /// <summary>Before the start: from now on changes wait in the engine, so that none is missing between a group's end
    /// and the start of the one that takes its place.</summary>
    public void Watch() => Run(FollowLayouts);

    /// <summary>Before the start: numbers go on where earlier writers with the same ids have ended.</summary>
    public void CountFrom(IReadOnlyDictionary<int, uint> sequences)
    {
        foreach (var writer in _writers)
            writer.NextSequence = sequences.GetValueOrDefault(writer.Description.DataSetWriterId);
    }

    /// <param name="message">In the group's mapping; this disposes it.</param>
    /// <param name="output">Of the connection.</param>
    public void Start(INetworkMessageWriter message, IMessageOutput output)
    {
        (_message, _output) = (message, output);
        _packer = new MessagePacker(Options, message, _topics, output, Counters);
        Run(FollowLayouts);
        _stream.Hurry();
        _loop = Task.Run(RunAsync);
        _timer = Contained.Every(
            _parts.Time, TimeSpan.FromMilliseconds(Options.PublishingIntervalMs), Tick, _logFault);
    }

    /// <summary>A tick that finds the one before still at work is left out: else threads of the pool would pile up
    /// before the lock (R08).</summary>
    private void Tick()
    {
        if (Interlocked.Exchange(ref _isTicking, 1) != 0)
            return;
        try
        {
            Run(OnInterval);
        }
        finally
        {
            Volatile.Write(ref _isTicking, 0);
        }
    }

    /// <summary>Changes until now are still sent.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_timer is not null)
            await _timer.DisposeAsync().ConfigureAwait(false);
        await DrainAsync().ConfigureAwait(false);
        _stream.Dispose();
        await _loop.ConfigureAwait(false);
        lock (_lock)
        {
            _isEnded = true;
            foreach (var writer in _writers)
                writer.Release();
            (_message as IDisposable)?.Dispose();
        }
    }

    /// <summary>Changes that wait in the engine for the next interval come at once.</summary>
    private async Task DrainAsync()
    {
        NodeId node;
        lock (_lock)
            node = _items.AnyNode;
        if (_loop.IsCompleted || node.IsNull ||
            _stream.Add([new StreamItem { Node = node, Handle = EndHandle }], out var results).IsBad ||
            results[0].StatusCode.IsBad)
            return;
        _stream.Hurry();
        try
        {
            await _drained.Task.WaitAsync(EndDeadline, _parts.Time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            LogUndrained(_parts.Logger, Options.Name);
        }
    }

    private async Task RunAsync()
    {
        while (await _stream.Batches.WaitToReadAsync().ConfigureAwait(false))
        {
            PublishAll();
            if (!_isEndSeen)
                continue;
            // A call waits until the engine has handed over the rest of that interval.
            _stream.Hurry();
            PublishAll();
            _drained.TrySetResult();
        }
    }

    private void PublishAll()
    {
        while (_stream.Batches.TryRead(out var batch))
        {
            using (batch)
                Run(static (group, of) => group.Publish(of), batch);
        }
    }

    private void Run(Action<WriterGroup> work) => Run(static (group, of) => of(group), work);

    /// <summary>A fault of ours loses what it was about, is counted, and ends nothing (R40).</summary>
    private void Run<T>(Action<WriterGroup, T> work, T state)
    {
        lock (_lock)
        {
            if (_isEnded)
                return;
#pragma warning disable CA1031 // Of this interval alone.
            try
            {
                work(this, state);
            }
            catch (Exception error)
#pragma warning restore CA1031
            {
                Counters.Faults++;
                Contained.Report(error, _logFault);
            }
        }
    }

    private static void FollowLayouts(WriterGroup group)
    {
        for (var i = 0; i < group._writers.Length; i++)
        {
            var writer = group._writers[i];
            var layout = writer.DataSet.Layout;
            if (!ReferenceEquals(layout, writer.Layout))
                group._items.Follow(writer, layout);
            if (group._output is null || ReferenceEquals(layout, group._announced[i]))
                continue;
            group._announced[i] = layout;
            group._message.UseGroupVersion(GroupVersion.Of(
                group._writers.Select(static one => one.Description.MetaData)));
            group._formless = RawForm.FindFormless(group._writers.Select(static one => one.Description));
            if (group._message.IsPlain)
                continue;
            group._output.Announce(new Announcement(
                group._description, writer.Description, group._topics[i].Topic));
        }
    }

    private void Publish(StreamBatch batch)
    {
        try
        {
            var rounds = TakeChanges(batch);
            if (IsHindered())
                Drop(rounds);
            else
                Send(rounds);
        }
        finally
        {
            // Also after a fault: the batch takes its values back.
            foreach (var writer in _writers)
                writer.EndMessages();
        }
    }

    /// <returns>The messages of the writer with the most.</returns>
    private int TakeChanges(StreamBatch batch)
    {
        var rounds = 0;
        foreach (ref readonly var change in batch.Changes)
        {
            if (change.Handle == EndHandle)
            {
                _isEndSeen = true;
                continue;
            }

            if (_items.Find(change.Handle) is not { } place)
                continue;
            if (change.Kind == NotificationKind.Event)
                place.Writer.TakeEvent(change.Value, _parts.Values);
            else
                place.Writer.Take(place.Index, change.Value, change.Status);
            rounds = Math.Max(rounds, place.Writer.Rounds);
        }

        Counters.Values += batch.Count;
        return rounds;
    }

    /// <summary>Told once for each cause. No message leaves unsealed because its key is missing.</summary>
    private bool IsHindered()
    {
        var hindrance = _message.Hindrance ?? _formless;
        if (hindrance != _hindrance)
        {
            if (hindrance is null)
                Counters.Returns++;
            else if (_hindrance is null)
                Counters.Errors++;
            Volatile.Write(ref _hindrance, hindrance);
            if (hindrance is null)
                LogFree(_parts.Logger, Options.Name);
            else
                LogHindered(_parts.Logger, Options.Name, hindrance);
        }

        return hindrance is not null;
    }

    /// <summary>The newest values stay: the first message afterwards has all fields.</summary>
    private void Drop(int rounds)
    {
        Counters.Lost += rounds;
        foreach (var writer in _writers)
            writer.Skip();
    }

    private void Send(int rounds)
    {
        _packer.Begin(_parts.Time.GetUtcNow().UtcDateTime, _parts.Time.GetTimestamp());
        for (var round = 0; round < rounds; round++)
        {
            for (var i = 0; i < _writers.Length; i++)
            {
                var writer = _writers[i];
                if (round < writer.Rounds)
                {
                    var fields = writer.FieldsOf(round, out var kind);
                    _packer.Add(i, kind, fields);
                }
                else if (Options.IsPeriodic)
                {
                    _packer.Add(i, FrameKind.KeyFrame, writer.AllFields);
                }
            }

            _packer.Send();
        }
    }

    private static void OnInterval(WriterGroup group)
    {
        FollowLayouts(group);
        group.TryRefusedAgain();
        if (group.IsHindered())
            return;
        if (group.Options.IsPeriodic && Array.TrueForAll(group._writers, static one => one.SentAt is null))
            return;
        var at = group._parts.Time.GetTimestamp();
        group._packer.Begin(group._parts.Time.GetUtcNow().UtcDateTime, at);
        for (var i = 0; i < group._writers.Length; i++)
        {
            var writer = group._writers[i];
            writer.CountInterval();
            if ((writer.IsKeyFrameDue && writer.SentAt is not null) || group.Options.IsPeriodic)
                group._packer.Add(i, FrameKind.KeyFrame, writer.AllFields);
            else if (group._hasKeepAlives && !group._message.IsPlain && group.IsSilent(writer, at))
                group._packer.Add(i, FrameKind.KeepAlive, []);
        }

        group._packer.Send();
    }

    private void TryRefusedAgain()
    {
        var now = _parts.Time.GetTimestamp();
        if (_items.Refused == 0 || _parts.Time.GetElapsedTime(_triedAt, now) < TryInterval)
            return;
        _triedAt = now;
        _items.TryAgain();
    }

    private bool IsSilent(DataSetWriter writer, long at) => writer.SentAt is not { } sentAt ||
        _parts.Time.GetElapsedTime(sentAt, at).TotalMilliseconds >= Options.KeepAliveMs;

    [LoggerMessage(6023, LogLevel.Error,
        "PubSub: the group {Group} can publish nothing, its changes are lost: {Hindrance}")]
    private static partial void LogHindered(ILogger logger, string group, string hindrance);

    [LoggerMessage(6024, LogLevel.Information, "PubSub: the group {Group} publishes again")]
    private static partial void LogFree(ILogger logger, string group);

    [LoggerMessage(6022, LogLevel.Warning, "PubSub: the group {Group} ended before its last changes were published")]
    private static partial void LogUndrained(ILogger logger, string group);

    [LoggerMessage(6021, LogLevel.Error, "PubSub: the group {Group} lost an interval by a fault of the gateway")]
    private static partial void LogFault(ILogger logger, string group, Exception error);
}
