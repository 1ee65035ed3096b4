using Gateway.Client.Requests;
using Gateway.Client.Sessions;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Client;

/// <summary>An activated session on its secure channel; it ends with the channel. <see cref="UaClient.ResumeAsync"/>
/// brings what it was onto another one. Threads: every member from any. Errors: service calls throw
/// <see cref="ServiceException"/> for a bad ServiceResult, a time-out and a lost connection.</summary>
public sealed class ClientSession : IAsyncDisposable
{
    /// <summary>A stop waits for it.</summary>
    private static readonly TimeSpan LeavePatience = TimeSpan.FromSeconds(2);

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

    /// <summary>The same session on another channel, not activated there yet.</summary>
    internal ClientSession(ClientConnection connection, ClientSession lost)
        : this(connection, lost.Endpoint, lost._created, lost._allowInsecureCredentials)
    {
        connection.AuthenticationToken = lost._created.AuthenticationToken;
        _serverNonce = lost._serverNonce;
        Pump.Adopt(this, lost.Pump.Left());
    }

    public NodeId SessionId => _created.SessionId;

    /// <summary>On a secured channel as the session confirmed it; as it was given otherwise.</summary>
    public EndpointDescription Endpoint { get; }

    /// <summary>The leaf, whose key the server has proven to have; empty without security.</summary>
    public byte[] ServerCertificate => Connection.Channel.PeerCertificate;

    public TimeSpan SessionTimeout => PeerDuration.Of(_created.RevisedSessionTimeout, 1_000);

    /// <summary>The largest request that the server takes; 0 where it does not say.</summary>
    public uint MaxRequestMessageSize => _created.MaxRequestMessageSize;

    public bool IsOpen => Connection.IsOpen && Volatile.Read(ref _closing) == 0;

    /// <summary>Ends when the connection does, with why.</summary>
    public Task<StatusCode> Closed => Connection.Closed;

    /// <summary>Subscriptions that the end of the connection left, or that came from a lost session and wait for
    /// <see cref="RecoverAsync"/>.</summary>
    public IReadOnlyList<ClientSubscription> Suspended => Pump.Left();

    /// <summary>Also one that waits for <see cref="RecoverAsync"/>; null: the session has none with that id.</summary>
    public ClientSubscription? Find(uint subscriptionId) => Pump.Find(subscriptionId);

    /// <summary>The server refused to activate it on another channel, or did not answer again and again.</summary>
    internal bool IsGone { get; set; }

    /// <summary>The server was reached this often in vain, by what is tried now to go on.</summary>
    internal int Failures { get; set; }

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
        var isNew = false;
        var request = new CreateSubscriptionRequest
        {
            RequestedPublishingInterval = settings.PublishingIntervalMs,
            RequestedLifetimeCount = settings.LifetimeCount,
            RequestedMaxKeepAliveCount = settings.MaxKeepAliveCount,
            MaxNotificationsPerPublish = settings.MaxNotificationsPerPublish,
            PublishingEnabled = settings.PublishingEnabled,
            Priority = settings.Priority,
        };
        // Known to the pump before the next message is read: a notification may follow at once.
        await Connection.InvokeAsync<CreateSubscriptionRequest, CreateSubscriptionResponse>(
            request,
            Connection.Options.RequestTimeout,
            cancellation,
            response => isNew = Pump.TryAdd(subscription = new ClientSubscription(this, handler, response)))
            .ConfigureAwait(false);
        return isNew
            ? subscription!
            : throw new ServiceException(
                StatusCodes.BadUnexpectedError, "the server has given two subscriptions one id");
    }

    /// <summary>After a resumption: brings by Republish the messages that were sent and did not arrive, then goes on
    /// with Publish. The caller is ready for values from here on. Errors: also Bad_SubscriptionIdInvalid for one that
    /// the server no longer knows, after the others go on. Source: Part 4 §5.14.6, §6.7.</summary>
    /// <returns>Messages that Republish brought.</returns>
    public async ValueTask<long> RecoverAsync(CancellationToken cancellation = default)
    {
        var recovered = 0L;
        var left = Pump.Left();
        var areThere = new bool[left.Length];
        for (var i = 0; i < left.Length; i++)
        {
            var before = left[i].Republished;
            areThere[i] = await left[i].ResumeAsync().WaitAsync(cancellation).ConfigureAwait(false);
            recovered += left[i].Republished - before;
        }

        Pump.Resume(left, areThere);
        return !areThere.Contains(false) ? recovered : throw new ServiceException(
            StatusCodes.BadSubscriptionIdInvalid, "the server has forgotten a subscription");
    }

    /// <summary>Takes over the subscriptions of a session that is gone; they wait for <see cref="RecoverAsync"/>. An
    /// item without queued changes tells its last value again. Source: Part 4 §5.14.7.</summary>
    /// <returns>False: the server has none of them.</returns>
    internal async ValueTask<bool> TransferAsync(ClientSession lost, CancellationToken cancellation)
    {
        var left = lost.Pump.Left();
        if (left.Length == 0)
            return false;
        var request = new TransferSubscriptionsRequest
        {
            SubscriptionIds = Array.ConvertAll(left, static one => one.Id),
            SendInitialValues = true,
        };
        try
        {
            var response = await InvokeAsync<TransferSubscriptionsRequest, TransferSubscriptionsResponse>(
                request, cancellation).ConfigureAwait(false);
            var results = Matching(response.Results, left.Length);
            Pump.Adopt(this, [.. left.Where((_, i) => !results[i].StatusCode.IsBad)]);
        }
        catch (ServiceException refused) when (!refused.IsTemporary)
        {
            // It does not know the service, or that many.
        }

        return Pump.Left().Length > 0;
    }

    /// <summary>CloseSession where the connection still stands: the session is not to stay there. The server's silence
    /// is not waited for.</summary>
    /// <returns>Whether the server has closed it.</returns>
    internal async ValueTask<bool> TryLeaveAsync(bool deleteSubscriptions)
    {
        var patience = Connection.Options.RequestTimeout;
        return await TryCloseAsync(
            deleteSubscriptions, patience < LeavePatience ? patience : LeavePatience, CancellationToken.None)
            .ConfigureAwait(false);
    }

    /// <summary>CloseSession and the channel's close; a server that does not answer is left anyway.</summary>
    public async ValueTask CloseAsync(bool deleteSubscriptions = true, CancellationToken cancellation = default)
    {
        if (Interlocked.Exchange(ref _closing, 1) != 0)
            return;
        try
        {
            Pump.Stop();
            await TryCloseAsync(deleteSubscriptions, Connection.Options.RequestTimeout, cancellation)
                .ConfigureAwait(false);
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

    /// <summary>False: the session ends by its time-out.</summary>
    private async ValueTask<bool> TryCloseAsync(
        bool deleteSubscriptions, TimeSpan timeout, CancellationToken cancellation)
    {
        if (!Connection.IsOpen)
            return false;
        try
        {
            await InvokeAsync<CloseSessionRequest, CloseSessionResponse>(
                new CloseSessionRequest { DeleteSubscriptions = deleteSubscriptions }, timeout, cancellation)
                .ConfigureAwait(false);
            return true;
        }
        catch (ServiceException)
        {
            return false;
        }
    }
}
