using System.Text;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.States;
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

    private readonly Lock _lock = new();
    private readonly TaskCompletionSource _drained = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly WriterGroupParts _parts;
    private readonly GroupDescription _description;
    private readonly INetworkMessageWriter _message;
    private readonly DataSetWriter[] _writers;
    private readonly byte[][] _topics;
    private readonly ValueStream _stream;
    private readonly GroupItems _items;
    private readonly Action<Exception> _logFault;
    private ITimer? _timer;
    private Task _loop = Task.CompletedTask;
    private int _isTicking;
    private bool _isEnded;
    private bool _isEndSeen;
    private string? _hindrance;

    /// <param name="options">Without errors.</param>
    /// <param name="description">Of its messages.</param>
    /// <param name="writers">Of its DataSetWriters, in order, with the topic of each.</param>
    /// <param name="message">In the group's mapping.</param>
    /// <param name="stream">Of its own.</param>
    /// <param name="parts">The parts that all groups use.</param>
    public WriterGroup(
        WriterGroupOptions options, GroupDescription description,
        IReadOnlyList<(DataSetWriter Writer, string Topic)> writers, INetworkMessageWriter message, ValueStream stream,
        WriterGroupParts parts)
    {
        (Options, _description, _message, _stream, _parts) = (options, description, message, stream, parts);
        _writers = [.. writers.Select(static one => one.Writer)];
        _topics = [.. writers.Select(static one => Encoding.UTF8.GetBytes(one.Topic))];
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
                Encoding.UTF8.GetString(_topics[i]))),
        ]);

    public void Start()
    {
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
        foreach (var (writer, i) in group._writers.Select(static (one, i) => (one, i)))
        {
            var layout = writer.DataSet.Refresh();
            if (ReferenceEquals(layout, writer.Layout))
                continue;
            group._items.Follow(writer, layout);
            group._parts.Output.Announce(new Announcement(
                group._description, writer.Description, Encoding.UTF8.GetString(group._topics[i])));
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

            var place = _items[change.Handle];
            if (place.Index < 0)
                continue;
            place.Writer.Take(place.Index, change.Value, change.Status);
            rounds = Math.Max(rounds, place.Writer.Rounds);
        }

        Counters.Values += batch.Count;
        return rounds;
    }

    /// <summary>Told once for each cause. No message leaves unsealed because its key is missing.</summary>
    private bool IsHindered()
    {
        var hindrance = _message.Hindrance;
        if (hindrance != _hindrance)
        {
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
        var (now, at) = (_parts.Time.GetUtcNow().UtcDateTime, _parts.Time.GetTimestamp());
        for (var round = 0; round < rounds; round++)
        {
            var open = -1;
            for (var i = 0; i < _writers.Length; i++)
            {
                var writer = _writers[i];
                if (round >= writer.Rounds)
                    continue;
                var fields = writer.FieldsOf(round, out var kind);
                Add(i, kind, fields, now, at, ref open);
            }

            Send(ref open);
        }
    }

    private static void OnInterval(WriterGroup group)
    {
        FollowLayouts(group);
        if (group.IsHindered())
            return;
        var (now, at) = (group._parts.Time.GetUtcNow().UtcDateTime, group._parts.Time.GetTimestamp());
        var open = -1;
        for (var i = 0; i < group._writers.Length; i++)
        {
            var writer = group._writers[i];
            writer.CountInterval();
            if (writer.IsKeyFrameDue && writer.SentAt is not null)
                group.Add(i, FrameKind.KeyFrame, writer.AllFields, now, at, ref open);
            else if (group.IsSilent(writer, at))
                group.Add(i, FrameKind.KeepAlive, [], now, at, ref open);
        }

        group.Send(ref open);
    }

    private bool IsSilent(DataSetWriter writer, long at) => writer.SentAt is not { } sentAt ||
        _parts.Time.GetElapsedTime(sentAt, at).TotalMilliseconds >= Options.KeepAliveMs;

    /// <summary>Into the open message where there is room, else into one of its own.</summary>
    private void Add(
        int writer, FrameKind kind, ReadOnlySpan<FrameField> fields, DateTime now, long at, ref int open)
    {
        var of = _writers[writer];
        var frame = new DataSetFrame
        {
            Writer = of.Description,
            Kind = kind,
            SequenceNumber = of.NextSequence,
            Timestamp = now,
            Fields = fields,
        };
        if (open >= 0 && !(Options.Batched && _message.TryAdd(frame)))
            Send(ref open);
        else if (open >= 0)
        {
            of.OnSent(kind, at);
            return;
        }

        _message.Begin(Guid.NewGuid(), now);
        if (_message.TryAdd(frame))
        {
            open = writer;
            of.OnSent(kind, at);
        }
        else
        {
            if (fields.Length > 1)
                AddHalves(writer, fields, now, at, ref open);
            else
                AddTooLarge(writer, fields, now, at, ref open);
            // Its fields have left in delta frames.
            if (kind == FrameKind.KeyFrame)
                of.OnKeyFrameSplit();
        }
    }

    /// <summary>Of a frame that is larger than a message: a key frame becomes delta frames, which a subscriber puts
    /// together.</summary>
    private void AddHalves(
        int writer, ReadOnlySpan<FrameField> fields, DateTime now, long at, ref int open)
    {
        var half = fields.Length / 2;
        Add(writer, FrameKind.DeltaFrame, fields[..half], now, at, ref open);
        Send(ref open);
        Add(writer, FrameKind.DeltaFrame, fields[half..], now, at, ref open);
        Send(ref open);
    }

    /// <summary>A value that fits no message: a subscriber learns that there was one.</summary>
    private void AddTooLarge(int writer, ReadOnlySpan<FrameField> fields, DateTime now, long at, ref int open)
    {
        Counters.TooLarge++;
        if (fields is [{ Value: not null } field])
            Add(
                writer, FrameKind.DeltaFrame,
                [new FrameField(field.Index, null, StatusCodes.BadEncodingLimitsExceeded)], now, at, ref open);
    }

    private void Send(ref int open)
    {
        if (open < 0)
            return;
        _message.End();
        if (_message.PartCount == 0)
            Counters.Lost++;
        for (var i = 0; i < _message.PartCount; i++)
        {
            var part = _message.Part(i);
            if (_parts.Output.TrySend(_writers[open].Description.DataSetWriterId, _topics[open], part.Span))
            {
                Counters.Messages++;
                Counters.Bytes += part.Length;
            }
            else
            {
                Counters.Lost++;
            }
        }

        open = -1;
    }

    [LoggerMessage(3, LogLevel.Error,
        "PubSub: the group {Group} can publish nothing, its changes are lost: {Hindrance}")]
    private static partial void LogHindered(ILogger logger, string group, string hindrance);

    [LoggerMessage(4, LogLevel.Information, "PubSub: the group {Group} publishes again")]
    private static partial void LogFree(ILogger logger, string group);

    [LoggerMessage(2, LogLevel.Warning, "PubSub: the group {Group} ended before its last changes were published")]
    private static partial void LogUndrained(ILogger logger, string group);

    [LoggerMessage(1, LogLevel.Error, "PubSub: the group {Group} lost an interval by a fault of the gateway")]
    private static partial void LogFault(ILogger logger, string group, Exception error);
}
