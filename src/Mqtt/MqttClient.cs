using Gateway.Mqtt.Connections;
using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.Sessions;
using Gateway.Mqtt.States;
using Polly;

namespace Gateway.Mqtt;

/// <summary>
/// A client of one MQTT broker. It connects, reconnects with its session, subscriptions and unacknowledged messages,
/// and ends with <see cref="DisconnectAsync"/>.
/// <code>
/// Idle -> Connecting -> Connected -> Lost -> Connecting ... -> Closed
///                    -> Refused -> Connecting
/// </code>
/// Errors: an operation's error is its result, a connection's error is a <see cref="MqttFault"/> in
/// <see cref="StateChanged"/> and in <see cref="Counters"/>; nothing throws on the way of data. Threads: any.
/// Source: MQTT 5.0, MQTT 3.1.1.
/// </summary>
public sealed class MqttClient : IAsyncDisposable
{
    private readonly ClientParts _parts;
    private readonly MessageHandling _handling;
    private readonly ResiliencePipeline _pipeline;
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _lock = new();
    private string _clientId;
    private BrokerConnection? _connection;
    private TaskCompletionSource _connected = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private Task _loop = Task.CompletedTask;
    private Task _handlingLoop = Task.CompletedTask;
    private Task? _ending;
    private MqttReasonCode _farewell;
    private long _connectionCount;
    private MqttClientState _state;

    /// <param name="options">Valid (<see cref="MqttClientOptions.Validate"/>).</param>
    /// <param name="time">Of deadlines and delays; null: the system's.</param>
    public MqttClient(MqttClientOptions options, TimeProvider? time = null)
    {
        var errors = options.Validate("Mqtt");
        if (errors.Count > 0)
            throw new ArgumentException(string.Join("; ", errors), nameof(options));
        _clientId = options.ClientId;
        _parts = new ClientParts(options, time ?? TimeProvider.System);
        _handling = new MessageHandling(_parts.Inbox, _parts.Subscriptions, _parts.Counters, Acknowledge);
        _pipeline = ReconnectPipeline.Make(options.Limits, _parts.Time);
    }

    /// <summary>Called for each change, in order, on the client's loop: it must not block.</summary>
    public event Action<MqttStateChange>? StateChanged;

    public MqttClientState State
    {
        get
        {
            lock (_lock)
                return _state;
        }
    }

    /// <summary>Ours, or the one that the broker assigned.</summary>
    public string ClientId => Volatile.Read(ref _clientId);

    public MqttCounters Counters => _parts.Counters;

    /// <summary>QoS 1 messages that wait for their PUBACK.</summary>
    public int InFlight => _parts.Outbound.InFlight;

    /// <summary>Bytes of messages that wait for their handlers.</summary>
    public int InboxBytes => _parts.Inbox.Bytes;

    /// <summary>Once. It returns at once; the client goes on trying until it is ended.</summary>
    public void Start()
    {
        lock (_lock)
        {
            if (_state != MqttClientState.Idle || _ending is not null)
                throw new InvalidOperationException("The client was started or ended before.");
            _state = MqttClientState.Connecting;
            _handlingLoop = Task.Run(_handling.RunAsync);
            _loop = Task.Run(RunAsync);
        }
    }

    /// <summary>Ends when the client is connected.</summary>
    public Task ConnectedAsync(CancellationToken cancellation = default)
    {
        lock (_lock)
            return _connected.Task.WaitAsync(cancellation);
    }

    /// <summary>QoS 0: ends when the bytes are queued for the socket. QoS 1: ends with the PUBACK, also over
    /// reconnects; without a connection it waits in the bounded window. It never throws. Await the result once.
    /// </summary>
    public ValueTask<MqttPublishResult> PublishAsync(in MqttMessage message) => _parts.Outbound.Publish(message);

    /// <summary>Ends with the first SUBACK. The subscription is asked for again on each new session.</summary>
    /// <exception cref="ArgumentException">The filter is none.</exception>
    /// <exception cref="InvalidOperationException"><c>MaxSubscriptions</c> is reached, or the client has ended.
    /// </exception>
    public async Task<MqttSubscription> SubscribeAsync(MqttSubscriptionOptions options, MqttMessageHandler handler)
    {
        if (!MqttText.IsTopicFilter(System.Text.Encoding.UTF8.GetBytes(options.Filter)))
            throw new ArgumentException($"'{options.Filter}' is no topic filter.", nameof(options));
        var entry = _parts.Subscriptions.Add(options, handler)
            ?? throw new InvalidOperationException("There are too many subscriptions, or the client has ended.");
        var reason = await entry.Subscribed.Task.ConfigureAwait(false);
        return new MqttSubscription(_parts.Subscriptions, entry, reason);
    }

    /// <summary>Waits for acknowledgements up to <c>DrainDeadline</c>, sends DISCONNECT, and ends the client for good.
    /// A second call waits for the same end.</summary>
    /// <param name="sendWill">The broker shall publish the Will all the same; 5.0 only.</param>
    public Task DisconnectAsync(bool sendWill = false)
    {
        lock (_lock)
        {
            _farewell = sendWill ? MqttReasonCode.DisconnectWithWillMessage : MqttReasonCode.Success;
            return _ending ??= Task.Run(EndAsync);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await DisconnectAsync().ConfigureAwait(false);
        _stop.Dispose();
    }

    private async Task RunAsync()
    {
        try
        {
            while (true)
            {
                await _pipeline.ExecuteAsync(AttemptAsync, _stop.Token).ConfigureAwait(false);
                _stop.Token.ThrowIfCancellationRequested();
                var delay = ReconnectPipeline.Spread(_parts.Options.Limits.ReconnectDelay);
                await Task.Delay(delay, _parts.Time, _stop.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (_stop.IsCancellationRequested)
        {
            // The client ends.
        }
    }

    /// <summary>One connection. It returns when a connection that was stable has ended, so that the next one comes
    /// soon, and throws where the next one must come later.</summary>
    private async ValueTask AttemptAsync(CancellationToken cancellation)
    {
        long since = 0;
        try
        {
            Enter(new MqttStateChange(MqttClientState.Connecting));
            var stream = await BrokerDialer.DialAsync(_parts.Options, _parts.Time, cancellation).ConfigureAwait(false);
            await using var connection = new BrokerConnection(stream, _parts, _connectionCount + 1);
            var connect = _parts.Options.ToConnect(_clientId, _connectionCount == 0);
            var broker = await connection.OpenAsync(connect, cancellation).ConfigureAwait(false);
            since = _parts.Time.GetTimestamp();
            await ServeAsync(connection, broker, cancellation).ConfigureAwait(false);
        }
        catch (MqttConnectException e)
        {
            Tell(e);
            if (since == 0 || _parts.Time.GetElapsedTime(since) < _parts.Options.Limits.StableAfter)
                throw;
        }
        catch (Exception e) when (!cancellation.IsCancellationRequested)
        {
            var fault = new MqttConnectException(MqttFault.Internal, inner: e);
            Tell(fault);
            throw fault;
        }
    }

    private async Task ServeAsync(BrokerConnection connection, ConnAckPacket broker, CancellationToken cancellation)
    {
        _connectionCount++;
        _parts.Counters.CountConnection();
        if (broker.AssignedClientIdentifier is { } assigned)
            Volatile.Write(ref _clientId, assigned);
        Volatile.Write(ref _connection, connection);
        try
        {
            connection.Start(broker);
            Enter(new MqttStateChange(MqttClientState.Connected, SessionPresent: broker.SessionPresent));
            await using var ending = cancellation.UnsafeRegister(
                static state => ((MqttClient)state!).RequestEnd(), this).ConfigureAwait(false);
            await connection.ServeAsync().ConfigureAwait(false);
        }
        finally
        {
            Volatile.Write(ref _connection, null);
        }
    }

    private void RequestEnd()
    {
        MqttReasonCode farewell;
        lock (_lock)
            farewell = _farewell;
        Volatile.Read(ref _connection)?.RequestEnd(farewell);
    }

    private void Acknowledge(InboundMessage message)
    {
        if (message.Qos == MqttQos.AtLeastOnce
            && Volatile.Read(ref _connection) is { } connection && connection.Number == message.Connection)
            connection.Acknowledge(message.PacketIdentifier);
    }

    private async Task EndAsync()
    {
        var drain = _parts.Options.Limits.DrainDeadline;
        _parts.Outbound.BeginEnd();
        if (State == MqttClientState.Connected)
            await WaitAsync(_parts.Outbound.Drained.WaitAsync().AsTask(), drain).ConfigureAwait(false);
        await _stop.CancelAsync().ConfigureAwait(false);
        await _loop.ConfigureAwait(false);
        _parts.Inbox.Close();
        await WaitAsync(_handlingLoop, drain).ConfigureAwait(false);
        _parts.Subscriptions.Close();
        _parts.Outbound.Close();
        Enter(new MqttStateChange(MqttClientState.Closed));
    }

    /// <summary>A deadline that passes is no error here.</summary>
    private async Task WaitAsync(Task task, TimeSpan deadline)
    {
        try
        {
            await task.WaitAsync(deadline, _parts.Time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // The end goes on without it.
        }
    }

    private void Tell(MqttConnectException e)
    {
        _parts.Counters.Count(e.Fault);
        var isRefused = e.Fault is MqttFault.Refused or MqttFault.CertificateRejected;
        Enter(new MqttStateChange(
            isRefused ? MqttClientState.Refused : MqttClientState.Lost, e.Fault, e.Reason, Error: e.InnerException));
    }

    private void Enter(MqttStateChange change)
    {
        lock (_lock)
        {
            _state = change.State;
            if (change.State == MqttClientState.Connected)
                _connected.TrySetResult();
            else if (change.State == MqttClientState.Closed)
                _connected.TrySetCanceled(CancellationToken.None);
            else if (_connected.Task.IsCompleted)
                _connected = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        try
        {
            StateChanged?.Invoke(change);
        }
        catch (Exception)
        {
            // A listener's fault ends no connection (R40).
            _parts.Counters.CountHandlerFault();
        }
    }
}
