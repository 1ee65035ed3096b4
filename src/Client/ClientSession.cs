using Gateway.Client.Requests;
using Gateway.Client.Sessions;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Client;

/// <summary>An activated session on its secure channel; it ends with the channel. Threads: every member from any.
/// Errors: service calls throw <see cref="ServiceException"/> for a bad ServiceResult, a time-out and a lost
/// connection.</summary>
public sealed class ClientSession : IAsyncDisposable
{
    private readonly CreateSessionResponse _created;
    private readonly bool _allowInsecureCredentials;
    private readonly IdleProbe _probe;
    private byte[] _serverNonce;
    private int _closing;

    internal ClientSession(
        ClientConnection connection,
        EndpointDescription endpoint,
        CreateSessionResponse created,
        bool allowInsecureCredentials)
    {
        Connection = connection;
        connection.Session = this;
        Endpoint = endpoint;
        _created = created;
        _allowInsecureCredentials = allowInsecureCredentials;
        _serverNonce = created.ServerNonce ?? [];
        _probe = new IdleProbe(this);
        Pump = new PublishPump(connection);
    }

    public NodeId SessionId => _created.SessionId;

    /// <summary>On a secured channel as the session confirmed it; as it was given otherwise.</summary>
    public EndpointDescription Endpoint { get; }

    public TimeSpan SessionTimeout => TimeSpan.FromMilliseconds(
        Math.Clamp(_created.RevisedSessionTimeout, 1_000, TimeSpan.FromDays(1).TotalMilliseconds));

    /// <summary>The largest request that the server takes; 0 where it does not say.</summary>
    public uint MaxRequestMessageSize => _created.MaxRequestMessageSize;

    public bool IsOpen => Connection.IsOpen && Volatile.Read(ref _closing) == 0;

    /// <summary>Ends when the connection does, with why.</summary>
    public Task<StatusCode> Closed => Connection.Closed;

    internal ClientConnection Connection { get; }

    internal PublishPump Pump { get; }

    public ValueTask<TResponse> InvokeAsync<TRequest, TResponse>(
        TRequest request, CancellationToken cancellation = default)
        where TRequest : class, IServiceRequest
        where TResponse : IStructure<TResponse> =>
        Connection.InvokeAsync<TRequest, TResponse>(request, Connection.Options.RequestTimeout, cancellation);

    /// <param name="request">Belongs to one call at a time: its header's token, handle, time and hint are filled in on
    /// the way out.</param>
    /// <param name="timeout">Sent as TimeoutHint, and waited for.</param>
    /// <param name="cancellation">Stops the waiting; no Cancel is sent to the server.</param>
    public ValueTask<TResponse> InvokeAsync<TRequest, TResponse>(
        TRequest request, TimeSpan timeout, CancellationToken cancellation = default)
        where TRequest : class, IServiceRequest
        where TResponse : IStructure<TResponse> =>
        Connection.InvokeAsync<TRequest, TResponse>(request, timeout, cancellation);

    /// <summary>Also for changing the user of a live session.</summary>
    public async ValueTask ActivateAsync(ClientIdentity identity, CancellationToken cancellation = default)
    {
        var context = new UserTokenContext(
            Connection.Channel, Endpoint, _created, _serverNonce, _allowInsecureCredentials);
        var request = ActivationRequest.Create(Connection, context, identity);
        var response = await InvokeAsync<ActivateSessionRequest, ActivateSessionResponse>(request, cancellation)
            .ConfigureAwait(false);
        _serverNonce = response.ServerNonce ?? [];
    }

    public async ValueTask<ClientSubscription> CreateSubscriptionAsync(
        SubscriptionSettings settings, ISubscriptionHandler handler, CancellationToken cancellation = default)
    {
        ClientSubscription? subscription = null;
        var request = new CreateSubscriptionRequest
        {
            RequestedPublishingInterval = settings.PublishingIntervalMs,
            RequestedLifetimeCount = settings.LifetimeCount,
            RequestedMaxKeepAliveCount = settings.MaxKeepAliveCount,
            MaxNotificationsPerPublish = settings.MaxNotificationsPerPublish,
            PublishingEnabled = true,
            Priority = settings.Priority,
        };
        // Known to the pump before the next message is read: a notification may follow at once.
        await Connection.InvokeAsync<CreateSubscriptionRequest, CreateSubscriptionResponse>(
            request,
            Connection.Options.RequestTimeout,
            cancellation,
            response => Pump.Add(subscription = new ClientSubscription(this, handler, response))).ConfigureAwait(false);
        return subscription!;
    }

    /// <summary>CloseSession and the channel's close; a server that does not answer is left anyway.</summary>
    public async ValueTask CloseAsync(bool deleteSubscriptions = true, CancellationToken cancellation = default)
    {
        if (Interlocked.Exchange(ref _closing, 1) != 0)
            return;
        try
        {
            Pump.Stop();
            if (Connection.IsOpen)
            {
                var request = new CloseSessionRequest { DeleteSubscriptions = deleteSubscriptions };
                await InvokeAsync<CloseSessionRequest, CloseSessionResponse>(request, cancellation)
                    .ConfigureAwait(false);
            }
        }
        catch (ServiceException)
        {
            // The session ends by its time-out then.
        }
        finally
        {
            Connection.Close();
        }
    }

    public ValueTask DisposeAsync() => CloseAsync();

    /// <summary>Closes the connection immediately, without a message to the server.</summary>
    public void Abort() => Connection.Abort(StatusCodes.BadConnectionClosed, "the client left");

    internal void StartKeepAlive()
    {
        var interval = Connection.Options.KeepAliveInterval;
        Connection.WatchIdle(interval < SessionTimeout / 3 ? interval : SessionTimeout / 3);
    }

    internal void SendKeepAlive()
    {
        Pump.Fill();
        _probe.Send();
    }

    internal void OnConnectionClosed(StatusCode reason) => Pump.OnConnectionClosed(reason);

    /// <summary>Errors: Bad_UnexpectedError where the server answered another number of operations.</summary>
    internal static T[] Matching<T>(T[]? results, int count) => results?.Length == count
        ? results
        : throw new ServiceException(StatusCodes.BadUnexpectedError, "the number of results is not that of operations");
}
