using System.Net.Sockets;
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
    private MqttBrokerLimits? _broker;
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

    /// <summary>Opens TCP to a host and port; TLS comes on top. Its stream is ours. Errors: SocketException,
    /// IOException.</summary>
    public required Func<string, int, CancellationToken, ValueTask<Stream>> Connect { get; init; }

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

    /// <summary>QoS 1 messages that are kept until their PUBACK, sent or not.</summary>
    public int InFlight => Outbound.InFlight;

    /// <summary>Of the connection that stands; null: none stands.</summary>
    public MqttBrokerLimits? Broker => Volatile.Read(ref _broker);

    /// <summary>The publishes that wait to be sent or acknowledged now.</summary>
    public MqttOutboundGauges Outbound => _parts.Outbound.Gauges;

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

    /// <summary>Ends when the client is connected; cancelled once it has ended.</summary>
    public Task ConnectedAsync(CancellationToken cancellation = default)
    {
        lock (_lock)
            return _connected.Task.WaitAsync(cancellation);
    }

    /// <summary>QoS 0: ends when the bytes are queued for the socket. QoS 1: ends with the PUBACK, also over
    /// reconnects; without a connection it waits in the bounded window. It never throws. Await the result once; topic
    /// and payload stay unchanged until then.</summary>
    /// <param name="message">Its memory is read again until the task has ended.</param>
    /// <param name="cancellation">Withdraws a message that was not sent yet; one that was sent, on any connection,
    /// stays under way.</param>
    public ValueTask<MqttPublishResult> PublishAsync(
        in MqttMessage message, CancellationToken cancellation = default) =>
        _parts.Outbound.Publish(message, cancellation);

    /// <summary>Asks for messages; it returns at once, and asks again on each new session. Before <see cref="Start"/>
    /// where the broker keeps a session: it sends what it stored directly behind its CONNACK, and a message that no
    /// subscription takes is dropped, counted and acknowledged. In 3.1.1, and at a broker without subscription
    /// identifiers, a message that several filters take may come to each handler more than once.</summary>
    /// <exception cref="ArgumentException">The filter is none, is subscribed already, or the wishes do not go with it.
    /// </exception>
    /// <exception cref="InvalidOperationException"><c>MaxSubscriptions</c> is reached, or the client has ended.
    /// </exception>
    public MqttSubscription Subscribe(MqttSubscriptionOptions options, MqttMessageHandler handler)
    {
        var filter = System.Text.Encoding.UTF8.GetBytes(options.Filter);
        if (!MqttText.IsTopicFilter(filter))
            throw new ArgumentException($"'{options.Filter}' is no topic filter.", nameof(options));
        if (options.NoLocal && MqttText.IsShared(filter))
            throw new ArgumentException("A shared subscription cannot have NoLocal.", nameof(options));
        if (!Enum.IsDefined(options.Qos) || !Enum.IsDefined(options.RetainHandling))
            throw new ArgumentException("The QoS or the retain handling is none of this client.", nameof(options));
        return new MqttSubscription(
            _parts.Subscriptions, _parts.Subscriptions.Add(options, handler), _parts.Options.Limits.DrainDeadline,
            _parts.Time);
    }

    /// <summary><see cref="Subscribe"/>, and waits for the first answer.</summary>
    /// <param name="options">Filter and wishes.</param>
    /// <param name="handler">Of its messages.</param>
    /// <param name="cancellation">Takes the subscription back.</param>
    public async Task<MqttSubscription> SubscribeAsync(
        MqttSubscriptionOptions options, MqttMessageHandler handler, CancellationToken cancellation = default)
    {
        cancellation.ThrowIfCancellationRequested();
        var subscription = Subscribe(options, handler);
        try
        {
            await subscription.Granted.WaitAsync(cancellation).ConfigureAwait(false);
            return subscription;
        }
        catch (OperationCanceledException)
        {
            subscription.Remove();
            throw;
        }
    }

    /// <summary>Waits for acknowledgements up to <c>DrainDeadline</c>, sends DISCONNECT, and ends the client for good.
    /// A second call waits for the same end.</summary>
    /// <param name="sendWill">The broker shall publish the Will all the same: 5.0 says it in DISCONNECT, 3.1.1 closes
    /// without one. The first call counts.</param>
    public Task DisconnectAsync(bool sendWill = false)
    {
        lock (_lock)
        {
            if (_ending is not null)
                return _ending;
            _farewell = sendWill ? MqttReasonCode.DisconnectWithWillMessage : MqttReasonCode.Success;
            return _ending = Task.Run(EndAsync);
        }
    }

    /// <summary>A <see cref="Connect"/> for a program that does not count its sockets.</summary>
    public static async ValueTask<Stream> OpenSocketAsync(string host, int port, CancellationToken cancellation)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(host, port, cancellation).ConfigureAwait(false);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await DisconnectAsync().ConfigureAwait(false);
        _stop.Dispose();
    }

    private async Task RunAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                await _pipeline.ExecuteAsync(AttemptAsync, _stop.Token).ConfigureAwait(false);
                var delay = ReconnectPipeline.Spread(_parts.Options.Limits.ReconnectDelay);
                await Task.Delay(delay, _parts.Time, _stop.Token).ConfigureAwait(false);
            }
            catch (Exception) when (_stop.IsCancellationRequested)
            {
                // The client ends, whatever else has failed.
            }
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
            var stream = await BrokerDialer.DialAsync(_parts.Options, Connect, _parts.Time, cancellation)
                .ConfigureAwait(false);
            await using var connection = new BrokerConnection(stream, _parts, _connectionCount + 1);
            var connect = _parts.Options.ToConnect(_clientId, _connectionCount == 0);
            var broker = await OpenAsync(connection, connect, cancellation).ConfigureAwait(false);
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

    private static async Task<ConnAckPacket> OpenAsync(
        BrokerConnection connection, ConnectForm connect, CancellationToken cancellation)
    {
        ConnAckPacket broker;
        try
        {
            broker = await connection.OpenAsync(connect, cancellation).ConfigureAwait(false);
        }
        finally
        {
            connect.ClearPassword();
        }

        // A name that we did not ask for could be another client's at the next broker. Source: MQTT 5.0 §3.2.2.3.7.
        var isRenamed = broker.AssignedClientIdentifier is { } assigned
            && (connect.ClientId.Length > 0 || assigned.Length == 0);

        // Subscriptions would count as kept. Source: MQTT 5.0 §3.2.2.1.1.
        var isOldSession = connect.CleanStart && broker.SessionPresent;
        return isRenamed || isOldSession ? throw new MqttConnectException(MqttFault.ProtocolError) : broker;
    }

    private async Task ServeAsync(BrokerConnection connection, ConnAckPacket broker, CancellationToken cancellation)
    {
        _connectionCount++;
        _parts.Counters.CountConnection();
        if (broker.AssignedClientIdentifier is { } assigned)
            Volatile.Write(ref _clientId, assigned);
        var limits = BrokerLimits.Of(broker, _parts.Options);
        Volatile.Write(ref _broker, limits);
        Volatile.Write(ref _connection, connection);
        try
        {
            connection.Start(broker);
            Enter(new MqttStateChange(
                MqttClientState.Connected, SessionPresent: broker.SessionPresent, Broker: limits));
            await using var ending = cancellation.UnsafeRegister(
                static state => ((MqttClient)state!).RequestEnd(), this).ConfigureAwait(false);
            await connection.ServeAsync().ConfigureAwait(false);
        }
        finally
        {
            Volatile.Write(ref _connection, null);
            Volatile.Write(ref _broker, null);
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
        try
        {
            _parts.Outbound.BeginEnd();
            if (State == MqttClientState.Connected)
                await WaitAsync(_parts.Outbound.Drained.WaitAsync().AsTask(), drain).ConfigureAwait(false);
            await _stop.CancelAsync().ConfigureAwait(false);
            await _loop.ConfigureAwait(false);
        }
        catch (Exception)
        {
            // It must not keep the callers below waiting for ever.
            _parts.Counters.Count(MqttFault.Internal);
        }

        _parts.Inbox.Close();
        await WaitAsync(_handlingLoop, drain).ConfigureAwait(false);
        _parts.Subscriptions.Close();
        _parts.Outbound.Close();
        Enter(new MqttStateChange(MqttClientState.Closed));
    }

    /// <summary>A deadline that passes is no error here, nor is a fault of the task.</summary>
    private async Task WaitAsync(Task task, TimeSpan deadline)
    {
        try
        {
            await task.WaitAsync(deadline, _parts.Time).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            // The end goes on without it.
            if (e is not TimeoutException)
                _parts.Counters.Count(MqttFault.Internal);
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
                EndConnectedUnderLock();
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

    /// <summary>Those that wait, and those that come later: there is no connection any more.</summary>
    private void EndConnectedUnderLock()
    {
        if (_connected.Task.IsCompleted)
            _connected = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _connected.TrySetCanceled(CancellationToken.None);
    }
}
