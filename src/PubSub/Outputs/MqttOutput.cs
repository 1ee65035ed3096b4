using System.Collections.Concurrent;
using System.Text;
using System.Threading.Channels;
using Gateway.Codec.Structures;
using Gateway.Mqtt;
using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.States;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.States;
using Gateway.Store;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.Outputs;

/// <summary>
/// The way to one broker: groups append to the store, one loop hands the store's messages to the client, another waits
/// for their acknowledgements in the same order. A message leaves the store when the broker has it, so that none is
/// lost while the broker is away. Retained messages go beside the store, the present ones on each connection. Owner:
/// its connection. Threads: <see cref="TrySend"/> and <see cref="Announce"/> any.
/// </summary>
internal sealed partial class MqttOutput : IConnectionOutput
{
    /// <summary>Messages that wait for their acknowledgement here; the client's window is the broker's.</summary>
    public const int MaxUnderWay = 256;

    private const byte DataKind = 1;

    private static readonly TimeSpan GapInterval = TimeSpan.FromSeconds(1);

    /// <summary>The content types of MQTT 5. Source: Part 14 §7.3.4.9.</summary>
    private static readonly MqttPublishProperties Json = new("application/json", isText: true);
    private static readonly MqttPublishProperties Uadp = new("application/opcua+uadp");

    private readonly ConcurrentDictionary<string, RetainedMessage> _retained = new(StringComparer.Ordinal);
    private readonly Channel<Delivery> _underWay = Channel.CreateBounded<Delivery>(
        new BoundedChannelOptions(MaxUnderWay) { SingleReader = true, SingleWriter = true });
    private readonly CancellationTokenSource _end = new();
    private readonly MqttClient _client;
    private readonly StoreLog _store;
    private readonly MqttQos _qos;
    private readonly Refusals _refusals = new();
    private readonly byte[] _uadpTopics;
    private readonly MqttMappings _mappings;
    private readonly IBrokerMessages _messages;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly ITimer _gapTimer;
    private Task _loops = Task.CompletedTask;
    private volatile MqttStateChange? _lastState;
    private long _discarded;
    private int _isReporting;

    /// <param name="client">Not started; this disposes it.</param>
    /// <param name="store">This disposes it.</param>
    /// <param name="qos">Of data.</param>
    /// <param name="topics">Their common beginnings.</param>
    /// <param name="mappings">Write the data.</param>
    /// <param name="messages">Writes what subscribers need besides the data.</param>
    /// <param name="time">The clock.</param>
    /// <param name="logger">Of the connection.</param>
    public MqttOutput(
        MqttClient client, StoreLog store, MqttQos qos, TopicTree topics, MqttMappings mappings,
        IBrokerMessages messages, TimeProvider time, ILogger logger)
    {
        (_client, _store, _qos, _mappings, _messages) = (client, store, qos, mappings, messages);
        _uadpTopics = Encoding.UTF8.GetBytes(topics.Uadp);
        (_time, _logger) = (time, logger);
        _client.StateChanged += OnStateChanged;
        _gapTimer = Contained.Every(time, GapInterval, ReportGaps, error => LogFault(_logger, error));
    }

    public INetworkMessageWriter WriterOf(WriterGroupOptions group, GroupDescription description) =>
        _mappings.WriterOf(group, description);

    public void Start()
    {
        foreach (var message in _messages.AtStart(_time.GetUtcNow().UtcDateTime))
            _retained[message.Topic] = message;
        _client.Start();
        _loops = Task.WhenAll(Task.Run(DeliverAsync), Task.Run(AcknowledgeAsync));
    }

    public ConnectionReport Describe(ConnectionReport report) => report with
    {
        State = _client.State == MqttClientState.Connected && _refusals.Words is null
            ? PubSubState.Operational
            : PubSubState.Error,
        Detail = _client.State == MqttClientState.Connected
            ? _refusals.Words ?? ""
            : _lastState?.Words ?? "not connected yet",
        Discarded = Volatile.Read(ref _discarded),
        Store = _store.State,
        Gaps = _store.Gaps,
    };

    public bool TrySend(ushort writer, ReadOnlySpan<byte> topic, ReadOnlySpan<byte> message) =>
        _store.TryAppend(writer, DataKind, topic, message, out _);

    public void Announce(Announcement announcement)
    {
        var message = _messages.OfMetaData(announcement, _time.GetUtcNow().UtcDateTime);
        _retained[message.Topic] = message;
        if (_client.State == MqttClientState.Connected)
            _ = PublishAsync(message);
    }

    /// <summary>Tells subscribers of the end; what is not acknowledged then stays in the store.</summary>
    public async ValueTask DisposeAsync()
    {
        await _gapTimer.DisposeAsync().ConfigureAwait(false);
        await _end.CancelAsync().ConfigureAwait(false);
        if (_client.State == MqttClientState.Connected)
            _ = PublishAsync(_messages.AtEnd());
        await _client.DisposeAsync().ConfigureAwait(false);
        await _loops.ConfigureAwait(false);
        await _store.DisposeAsync().ConfigureAwait(false);
        _end.Dispose();
    }

    private void OnStateChanged(MqttStateChange change)
    {
        var before = _lastState;
        _lastState = change.State == MqttClientState.Connecting ? before : change;
        if (change.State == MqttClientState.Connected)
        {
            LogConnected(_logger);
            // Before the loop goes on: what they say comes before the data.
            foreach (var message in _retained.Values)
                _ = PublishAsync(message);
        }
        else if (change.State is MqttClientState.Refused or MqttClientState.Lost && change.Words != before?.Words)
        {
            // Once for each cause, not for each attempt.
            LogLost(_logger, change.Words);
        }
    }

    private async Task PublishAsync(RetainedMessage message)
    {
        var result = await _client.PublishAsync(new MqttMessage
        {
            Topic = message.TopicBytes,
            Payload = message.Payload,
            Qos = MqttQos.AtLeastOnce,
            Retain = message.IsRetained,
            Properties = Json,
        }).ConfigureAwait(false);
        if (!result.IsSuccess && result.Outcome != MqttPublishOutcome.Closed)
            LogRefused(_logger, message.Topic, result.Outcome);
    }

    private async Task DeliverAsync()
    {
        try
        {
            await _client.ConnectedAsync(_end.Token).ConfigureAwait(false);
            while (await _store.WaitToReadAsync(_end.Token).ConfigureAwait(false))
            {
                if (_qos == MqttQos.AtMostOnce)
                    await _client.ConnectedAsync(_end.Token).ConfigureAwait(false);
                if (_refusals.TakePause() is { } pause)
                {
                    LogRefusing(_logger, _refusals.Words!, pause);
                    await Task.Delay(pause, _time, _end.Token).ConfigureAwait(false);
                }

                // Room first: a message that is read is under way.
                while (await _underWay.Writer.WaitToWriteAsync(_end.Token).ConfigureAwait(false) &&
                    !_refusals.IsPauseDue && _store.TryRead(out var message))
                {
                    var task = _client.PublishAsync(new MqttMessage
                    {
                        Topic = message.Topic,
                        Payload = message.Payload,
                        Qos = _qos,
                        Properties = message.Topic.Span.StartsWith(_uadpTopics) ? Uadp : Json,
                    });
                    if (!_underWay.Writer.TryWrite(new Delivery(message.Sequence, task)))
                        throw new InvalidOperationException("There was room for a message, and now there is none.");
                }
            }
        }
        catch (OperationCanceledException)
        {
            // The end.
        }
#pragma warning disable CA1031 // Of ours: what waits stays in the store.
        catch (Exception error)
#pragma warning restore CA1031
        {
            LogFault(_logger, error);
        }
        finally
        {
            _underWay.Writer.Complete();
        }
    }

    private async Task AcknowledgeAsync()
    {
        while (await _underWay.Reader.WaitToReadAsync().ConfigureAwait(false))
        {
            while (_underWay.Reader.TryRead(out var delivery))
                End(delivery.Sequence, await delivery.Task.ConfigureAwait(false));
        }
    }

    private void End(long sequence, in MqttPublishResult result)
    {
        switch (result.Outcome)
        {
            case MqttPublishOutcome.Acknowledged or MqttPublishOutcome.Sent:
                _store.Acknowledge(sequence);
                _refusals.End();
                break;
            case MqttPublishOutcome.Closed or MqttPublishOutcome.NotConnected or MqttPublishOutcome.QueueFull:
                _store.Return(sequence);
                break;
            default:
                if (_refusals.MayComeAgain(sequence, result))
                {
                    _store.Return(sequence);
                    break;
                }

                Interlocked.Increment(ref _discarded);
                LogDiscarded(_logger, result.Outcome, result.Reason);
                _store.Discard(sequence);
                break;
        }
    }

    /// <summary>One report at a time; a gap leaves the store when the broker has its report.</summary>
    private void ReportGaps()
    {
        if (_client.State != MqttClientState.Connected || Interlocked.Exchange(ref _isReporting, 1) != 0)
            return;
        _ = ReportGapsAsync();
    }

    private async Task ReportGapsAsync()
    {
        try
        {
            foreach (var gap in _store.Gaps)
            {
                LogGap(_logger, gap.Reason, gap.Count, gap.FirstTime, gap.LastTime);
                var report = _messages.OfGap(gap, _time.GetUtcNow().UtcDateTime);
                var result = await _client.PublishAsync(new MqttMessage
                {
                    Topic = report.TopicBytes,
                    Payload = report.Payload,
                    Qos = MqttQos.AtLeastOnce,
                    Properties = Json,
                }).ConfigureAwait(false);
                if (!result.IsSuccess)
                    return;
                _store.AcknowledgeGap(gap);
            }
        }
        finally
        {
            Volatile.Write(ref _isReporting, 0);
        }
    }

    /// <summary>A message of the store on its way to the broker.</summary>
    private readonly record struct Delivery(long Sequence, ValueTask<MqttPublishResult> Task);

    [LoggerMessage(1, LogLevel.Information, "PubSub: connected to the broker")]
    private static partial void LogConnected(ILogger logger);

    [LoggerMessage(2, LogLevel.Warning,
        "PubSub: no connection to the broker ({Words}); messages wait in the store")]
    private static partial void LogLost(ILogger logger, string words);

    [LoggerMessage(3, LogLevel.Error, "PubSub: the broker does not take a message ({Outcome}, {Reason}); it is lost")]
    private static partial void LogDiscarded(ILogger logger, MqttPublishOutcome outcome, MqttReasonCode reason);

    [LoggerMessage(7, LogLevel.Warning, "PubSub: {Words}; the messages come again in {Pause}")]
    private static partial void LogRefusing(ILogger logger, string words, TimeSpan pause);

    [LoggerMessage(4, LogLevel.Warning, "PubSub: the broker does not take {Topic} ({Outcome})")]
    private static partial void LogRefused(ILogger logger, string topic, MqttPublishOutcome outcome);

    [LoggerMessage(5, LogLevel.Error, "PubSub: lost {Count} messages of {From} to {To} ({Reason})")]
    private static partial void LogGap(ILogger logger, GapReason reason, long count, DateTime from, DateTime to);

    [LoggerMessage(6, LogLevel.Error, "PubSub: a fault of the gateway at the broker's connection")]
    private static partial void LogFault(ILogger logger, Exception error);
}
