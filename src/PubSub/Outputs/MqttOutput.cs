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
/// lost while the broker is away. Metadata goes through the store too, so that it comes before the messages that need
/// it. Retained messages that the broker has had go out again on each connection. Owner: its connection. Threads:
/// <see cref="TrySend"/> and <see cref="Announce"/> any.
/// </summary>
internal sealed partial class MqttOutput : IConnectionOutput
{
    /// <summary>Messages that wait for their acknowledgement here; the client's window is the broker's.</summary>
    public const int MaxUnderWay = 256;

    private const byte DataKind = 1;
    private const byte MetaDataKind = 2;

    private static readonly TimeSpan GapInterval = TimeSpan.FromSeconds(1);

    /// <summary>After a fault of the gateway's own.</summary>
    private static readonly TimeSpan FaultPause = TimeSpan.FromSeconds(1);

    /// <summary>Retained messages are renewed long before they expire.</summary>
    private static readonly TimeSpan RenewInterval = MessageProperties.RetainedExpiry / 4;

    private readonly ConcurrentDictionary<string, Announcement> _unsealed = new(StringComparer.Ordinal);
    private readonly RetainedMessages _retained;
    private readonly Channel<Delivery> _underWay = Channel.CreateBounded<Delivery>(
        new BoundedChannelOptions(MaxUnderWay) { SingleReader = true, SingleWriter = true });
    private readonly CancellationTokenSource _end = new();
    private readonly MqttClient _client;
    private readonly StoreLog _store;
    private readonly MqttQos _qos;
    private readonly Refusals _refusals = new();
    private readonly MessageProperties _properties;
    private readonly GapReporter _gaps;

    /// <summary>By topic, the sequence number of the metadata that went to the broker last.</summary>
    private readonly ConcurrentDictionary<string, long> _newest = new(StringComparer.Ordinal);
    private readonly TopicTree _topics;
    private readonly MqttMappings _mappings;
    private readonly IBrokerMessages _messages;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly ITimer _gapTimer;
    private Task _loops = Task.CompletedTask;
    private volatile MqttStateChange? _lastState;
    private long _discarded;
    private long _renewAt;

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
        _topics = topics;
        _properties = new MessageProperties(topics);
        (_time, _logger) = (time, logger);
        _retained = new RetainedMessages(PublishAsync, OnRefused);
        _gaps = new GapReporter(
            store, messages, PublishAsync, time, logger, OnRefused, error => LogFault(logger, error));
        _client.StateChanged += OnStateChanged;
        _gapTimer = Contained.Every(time, GapInterval, OnTime, error => LogFault(_logger, error));
    }

    public INetworkMessageWriter WriterOf(WriterGroupOptions group, GroupDescription description) =>
        _mappings.WriterOf(group, description);

    public bool IsStarted { get; private set; }

    public void Start()
    {
        IsStarted = true;
        foreach (var message in _messages.AtStart(_time.GetUtcNow().UtcDateTime))
            _retained.Keep(message);
        _client.Start();
        _loops = Task.WhenAll(Task.Run(DeliverAsync), Task.Run(AcknowledgeAsync));
    }

    public void Change(ConnectionOptions options, IReadOnlyList<DataSetOptions> dataSets)
    {
        _messages.Change(options, dataSets);
        foreach (var message in _messages.AtStart(_time.GetUtcNow().UtcDateTime))
            _retained.Send(message);
    }

    /// <summary>By way of the store: data that needs the metadata may still wait there.</summary>
    public void Withdraw(WriterGroupOptions group, IEnumerable<DataSetWriterOptions> writers)
    {
        if (group.IsPlain)
            return;
        foreach (var writer in writers)
        {
            var topic = _topics.MetaData(group.IsJson, group.Name, writer.Name);
            _unsealed.TryRemove(KeyOf(group.Name, writer.Name), out _);
            _store.TryAppend((ushort)writer.DataSetWriterId, MetaDataKind, Encoding.UTF8.GetBytes(topic), [], out _);
        }
    }

    public ConnectionReport Describe(ConnectionReport report, bool explainsGaps) => report with
    {
        State = _client.State == MqttClientState.Connected && _refusals.Words is null
            ? PubSubState.Operational
            : PubSubState.Error,
        Detail = _client.State == MqttClientState.Connected
            ? _refusals.Words ?? ""
            : _lastState?.Words ?? "not connected yet",
        Discarded = Volatile.Read(ref _discarded),
        Connects = _client.Counters.Connections,
        Store = _store.State,
        Gaps = explainsGaps ? _gaps.Read() : [],
    };

    public bool TrySend(ushort writer, ReadOnlySpan<byte> topic, ReadOnlySpan<byte> message) =>
        _store.TryAppend(writer, DataKind, topic, message, out _);

    public void Announce(Announcement announcement)
    {
        var key = KeyOf(announcement.Group.Name, announcement.Writer.Name);
        var message = _messages.OfMetaData(announcement, _time.GetUtcNow().UtcDateTime);
        if (message is null)
        {
            // Without a key no data leaves either.
            _unsealed[key] = announcement;
            return;
        }

        _unsealed.TryRemove(key, out _);
        if (_store.TryAppend(
            announcement.Writer.DataSetWriterId, MetaDataKind, message.TopicBytes.Span, message.Payload.Span,
            out var sequence))
            return;
        IsNewest(message.Topic, sequence);
        _retained.Send(message);
    }

    /// <summary>Tells subscribers of the end; what is not acknowledged then stays in the store.</summary>
    public async ValueTask DisposeAsync()
    {
        await _gapTimer.DisposeAsync().ConfigureAwait(false);
        await _end.CancelAsync().ConfigureAwait(false);
        if (_client.State == MqttClientState.Connected)
        {
            foreach (var message in _messages.AtEnd())
                _ = PublishAsync(message).AsTask();
        }

        await _client.DisposeAsync().ConfigureAwait(false);
        await _loops.ConfigureAwait(false);
        await _store.DisposeAsync().ConfigureAwait(false);
        _messages.Dispose();
        _end.Dispose();
    }

    /// <summary>Neither name holds a slash.</summary>
    private static string KeyOf(string group, string writer) => $"{group}/{writer}";

    private void OnStateChanged(MqttStateChange change)
    {
        var before = _lastState;
        _lastState = change.State == MqttClientState.Connecting ? before : change;
        if (change.State == MqttClientState.Connected)
        {
            LogConnected(_logger);
            _retained.SendAll();
        }
        else if (change.State is MqttClientState.Refused or MqttClientState.Lost && change.Words != before?.Words)
        {
            // Once for each cause, not for each attempt.
            LogLost(_logger, change.Words);
        }
    }

    private void OnRefused(RetainedMessage message, MqttPublishOutcome outcome) =>
        LogRefused(_logger, message.Topic, outcome);

    private ValueTask<MqttPublishResult> PublishAsync(RetainedMessage message) => _client.PublishAsync(new MqttMessage
    {
        Topic = message.TopicBytes,
        Payload = message.Payload,
        Qos = MqttQos.AtLeastOnce,
        Retain = message.IsRetained,
        Properties = _properties.Of(message),
    });

    private async Task DeliverAsync()
    {
        while (!_end.IsCancellationRequested)
        {
            try
            {
                await DeliverAllAsync().ConfigureAwait(false);
                break;
            }
            catch (OperationCanceledException)
            {
                // The end.
            }
#pragma warning disable CA1031 // Of ours: it concerns one message, and all others still have to leave.
            catch (Exception error)
#pragma warning restore CA1031
            {
                LogFault(_logger, error);
                await PauseAsync().ConfigureAwait(false);
            }
        }

        _underWay.Writer.Complete();
    }

    /// <summary>Shorter at the end.</summary>
    private async Task PauseAsync() => await Task.Delay(FaultPause, _time, _end.Token)
        .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

    /// <summary>Returns when the store is closed.</summary>
    private async Task DeliverAllAsync()
    {
        while (await _store.WaitToReadAsync(_end.Token).ConfigureAwait(false))
        {
            await _client.ConnectedAsync(_end.Token).ConfigureAwait(false);
            if (_refusals.TakePause() is { } pause)
            {
                if (_refusals.Words is { } words)
                    LogRefusing(_logger, words, pause);
                await Task.Delay(pause, _time, _end.Token).ConfigureAwait(false);
            }

            // Room first: a message that is read is under way.
            while (await _underWay.Writer.WaitToWriteAsync(_end.Token).ConfigureAwait(false) &&
                !_refusals.IsPauseDue && _store.TryRead(out var message))
            {
                if (message.Kind == MetaDataKind && !TryKeep(message))
                {
                    _store.Acknowledge(message.Sequence);
                    continue;
                }

                Deliver(message);
            }
        }
    }

    /// <summary>With an exception it comes again.</summary>
    private void Deliver(in StoredMessage message)
    {
        try
        {
            if (!_underWay.Writer.TryWrite(new Delivery(message.Sequence, PublishAsync(message))))
                throw new InvalidOperationException("There was room for a message, and now there is none.");
        }
        catch
        {
            Return(message.Sequence);
            throw;
        }
    }

    private ValueTask<MqttPublishResult> PublishAsync(in StoredMessage message)
    {
        var isMetaData = message.Kind == MetaDataKind;
        return _client.PublishAsync(new MqttMessage
        {
            Topic = message.Topic,
            Payload = message.Payload,
            Qos = isMetaData ? MqttQos.AtLeastOnce : _qos,
            Retain = isMetaData,
            Properties = _properties.Of(message.Topic.Span, isMetaData),
        });
    }

    private async Task AcknowledgeAsync()
    {
        while (await _underWay.Reader.WaitToReadAsync().ConfigureAwait(false))
        {
            while (_underWay.Reader.TryRead(out var delivery))
            {
                // In this method: one of its own would need an object for each that waits.
                try
                {
                    End(delivery.Sequence, await delivery.Task.ConfigureAwait(false));
                }
#pragma warning disable CA1031 // Of ours: it concerns this message, which comes again.
                catch (Exception error)
#pragma warning restore CA1031
                {
                    LogFault(_logger, error);
                    Return(delivery.Sequence);
                }
            }
        }
    }

    private void End(long sequence, in MqttPublishResult result)
    {
        switch (result.Outcome)
        {
            case MqttPublishOutcome.Acknowledged or MqttPublishOutcome.Sent:
                _store.Acknowledge(sequence);
                Return(_refusals.Taken(sequence));
                break;
            case MqttPublishOutcome.Closed:
                Return(sequence);
                break;
            case MqttPublishOutcome.NotConnected or MqttPublishOutcome.QueueFull:
                _refusals.CameBack();
                Return(sequence);
                break;
            case MqttPublishOutcome.GivenUp when !_refusals.IsToBlame(sequence, out var back):
                Return(back);
                break;
            default:
                if (_refusals.MayComeAgain(sequence, result))
                {
                    Return(sequence);
                    break;
                }

                Interlocked.Increment(ref _discarded);
                LogDiscarded(_logger, result.Outcome, result.Reason);
                _store.Discard(sequence);
                break;
        }
    }

    /// <summary>One that waits aside stays read and is neither acknowledged nor returned.</summary>
    private void Return(long sequence)
    {
        if (sequence != 0)
            _store.Return(sequence);
    }

    /// <summary>For the connections after this one. Without a payload, the broker forgets the topic. False: the broker
    /// has a newer one, because newer messages leave first or this one came back.</summary>
    private bool TryKeep(in StoredMessage message)
    {
        var topic = Encoding.UTF8.GetString(message.Topic.Span);
        if (!IsNewest(topic, message.Sequence))
            return false;
        if (message.Payload.IsEmpty)
            _retained.Forget(topic);
        else
            _retained.Keep(new RetainedMessage(TopicTree.MetaDataType, topic, message.Payload.ToArray()));
        return true;
    }

    private bool IsNewest(string topic, long sequence) =>
        _newest.AddOrUpdate(topic, sequence, (_, known) => Math.Max(known, sequence)) == sequence;

    private void OnTime()
    {
        foreach (var announcement in _unsealed.Values)
            Announce(announcement);
        if (_client.State != MqttClientState.Connected)
            return;
        var now = _time.GetTimestamp();
        if (_renewAt == 0 || now >= _renewAt)
        {
            if (_renewAt != 0)
                _retained.SendAll();
            _renewAt = now + (long)(RenewInterval.TotalSeconds * _time.TimestampFrequency);
        }

        _gaps.Look();
    }

    /// <summary>A message of the store on its way to the broker.</summary>
    private readonly record struct Delivery(long Sequence, ValueTask<MqttPublishResult> Task);
}
