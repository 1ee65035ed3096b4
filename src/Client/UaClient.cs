using Gateway.Client.Discovery;
using Gateway.Client.Requests;
using Gateway.Client.Sessions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Gateway.Transport.Timing;

namespace Gateway.Client;

/// <summary>One application as a client of any number of servers: identity, limits and the one timer that all its
/// connections share. Threads: every member from any.</summary>
public sealed class UaClient : IDisposable
{
    private const int WheelSlots = 512;

    /// <summary>A server that is reached and leaves an activation or a transfer unanswered may always do so.</summary>
    private const int MostFailures = 3;

    /// <summary>For applications that bring none.</summary>
    private static readonly Lazy<TransportContext> ProcessContext =
        new(static () => TransportContext.Standalone(new TransportLimits(), TimeProvider.System));

    private readonly WheelTimer _wheel;
    private readonly bool _ownsWheel;

    public UaClient(ClientOptions options)
        : this(options, NewWheel(options))
    {
        _ownsWheel = true;
    }

    private UaClient(ClientOptions options, WheelTimer wheel)
    {
        Options = options;
        _wheel = wheel;
    }

    public ClientOptions Options { get; }

    /// <summary>Another application (certificate, source address) on this one's timer, which ends with this one.
    /// </summary>
    public UaClient With(ClientOptions options) => new(options, _wheel);

    /// <summary>Of all connections; each has one entry, due at its nearest deadline.</summary>
    internal static WheelTimer NewWheel(ClientOptions options) => new(
        options.TimeProvider, TimeSpan.FromMilliseconds(100), WheelSlots, error => options.OnFault?.Invoke(error));

    public void Dispose()
    {
        if (_ownsWheel)
            _wheel.Dispose();
    }

    /// <summary>Asks on an open channel of its own. The answer is not authenticated; a session checks it.</summary>
    public ValueTask<EndpointDescription[]> GetEndpointsAsync(
        string endpointUrl, CancellationToken cancellation = default) =>
        GetEndpointsAsync(new ConnectSettings { EndpointUrl = endpointUrl }, cancellation);

    private async ValueTask<EndpointDescription[]> GetEndpointsAsync(
        ConnectSettings settings, CancellationToken cancellation)
    {
        var open = new EndpointDescription
        {
            SecurityPolicyUri = SecurityPolicies.None.Uri,
            SecurityMode = MessageSecurityMode.None,
        };
        var connection = await OpenConnectionAsync(open, settings with { CertificateValidator = null }, cancellation)
            .ConfigureAwait(false);
        try
        {
            var response = await connection.InvokeAsync<GetEndpointsRequest, GetEndpointsResponse>(
                new GetEndpointsRequest { EndpointUrl = settings.EndpointUrl }, Options.RequestTimeout, cancellation)
                .ConfigureAwait(false);
            return EndpointConfirmation.Bounded(response.Endpoints, Options.MaxEndpoints);
        }
        finally
        {
            connection.Close();
        }
    }

    /// <summary>Discovers, chooses, connects and activates. Errors: <see cref="ServiceException"/>.</summary>
    public async ValueTask<ClientSession> ConnectAsync(
        ConnectSettings settings, CancellationToken cancellation = default)
    {
        var endpoints = await GetEndpointsAsync(settings, cancellation).ConfigureAwait(false);
        var endpoint = EndpointSelector.Choose(endpoints, settings.SecurityPolicyUri, settings.SecurityMode);
        if (endpoint is null)
            throw NoFittingEndpoint(endpoints, settings);
        return await ConnectAsync(endpoint, endpoints, settings, cancellation).ConfigureAwait(false);
    }

    /// <summary>With an endpoint that is known already: many sessions need one discovery.</summary>
    public ValueTask<ClientSession> ConnectAsync(
        EndpointDescription endpoint, ConnectSettings settings, CancellationToken cancellation = default) =>
        ConnectAsync(endpoint, null, settings, cancellation);

    private async ValueTask<ClientSession> ConnectAsync(
        EndpointDescription endpoint,
        EndpointDescription[]? discovered,
        ConnectSettings settings,
        CancellationToken cancellation)
    {
        EndpointConfirmation.CheckServer(endpoint, settings.ServerUri);
        UserTokenContext.ThrowIfUnprotected(
            settings.Identity, endpoint.SecurityMode, settings.AllowInsecureCredentials);
        var connection = await OpenConnectionAsync(endpoint, settings, cancellation).ConfigureAwait(false);
        try
        {
            return await SessionOpener.OpenAsync(connection, endpoint, discovered, settings, cancellation)
                .ConfigureAwait(false);
        }
        catch
        {
            connection.Close();
            throw;
        }
    }

    /// <summary>
    /// Goes on with what a lost connection left: the session on a new channel, else its subscriptions in a new session,
    /// else a new session alone. Values flow again once the caller has called <see cref="ClientSession.RecoverAsync"/>.
    /// Errors: <see cref="ServiceException"/>; the lost one may be tried again. Source: Part 4 §5.7.3, §6.7.
    /// </summary>
    /// <param name="lost">Its connection has ended (<see cref="ClientSession.Closed"/>).</param>
    /// <param name="settings">As it was made with.</param>
    /// <param name="cancellation">Ends the attempt.</param>
    public async ValueTask<ResumedSession> ResumeAsync(
        ClientSession lost, ConnectSettings settings, CancellationToken cancellation = default)
    {
        if (!lost.IsGone && await ActivateAgainAsync(lost, settings, cancellation).ConfigureAwait(false) is { } same)
            return new ResumedSession(same, ResumeKind.SameSession);
        var session = await ConnectAsync(settings, cancellation).ConfigureAwait(false);
        try
        {
            var transferred = lost.Failures < MostFailures &&
                await session.TransferAsync(lost, cancellation).ConfigureAwait(false);
            return new ResumedSession(session, transferred ? ResumeKind.Transferred : ResumeKind.New);
        }
        catch (Exception failure)
        {
            Count(failure, lost);
            await session.CloseAsync(deleteSubscriptions: false, CancellationToken.None).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Closes a session whose connection is lost, with its subscriptions: it is activated on a channel of its
    /// own first (Part 4 §5.7.4). Errors: <see cref="ServiceException"/> where the server cannot be reached.</summary>
    /// <param name="lost">Its connection has ended.</param>
    /// <param name="settings">As it was made with.</param>
    /// <param name="cancellation">Ends the attempt.</param>
    public async ValueTask LeaveAsync(
        ClientSession lost, ConnectSettings settings, CancellationToken cancellation = default)
    {
        if (!lost.IsGone && await ActivateAgainAsync(lost, settings, cancellation).ConfigureAwait(false) is { } session)
            await session.CloseAsync(deleteSubscriptions: true, cancellation).ConfigureAwait(false);
    }

    /// <summary>Null: the server refuses, and the session is gone.</summary>
    private async ValueTask<ClientSession?> ActivateAgainAsync(
        ClientSession lost, ConnectSettings settings, CancellationToken cancellation)
    {
        ClientConnection? connection = null;
        ClientSession? session = null;
        try
        {
            connection = await OpenConnectionAsync(lost.Endpoint, settings, cancellation).ConfigureAwait(false);
            session = new ClientSession(connection, lost);
            await session.ActivateAsync(settings.Identity, cancellation).ConfigureAwait(false);
            session.StartKeepAlive();
            return session;
        }
        catch (ServiceException refused) when (!refused.IsTemporary)
        {
            connection?.Close();
            (lost.IsGone, lost.Failures) = (true, 0);
            return null;
        }
        catch (Exception failure)
        {
            if (session is not null)
            {
                Count(failure, lost);
                var isInVain = lost.Failures >= MostFailures;
                // A server that has activated it and whose answer is lost has made a new nonce: nobody can activate it
                // again, and it would stay. Its subscriptions stay for the next session.
                if (isInVain || lost.Endpoint.SecurityMode != MessageSecurityMode.None)
                    lost.IsGone |= await session.TryLeaveAsync(deleteSubscriptions: false).ConfigureAwait(false);
                lost.IsGone |= isInVain;
                // The transfer that follows has as many attempts.
                if (lost.IsGone)
                    lost.Failures = 0;
            }

            connection?.Close();
            throw;
        }
    }

    /// <summary>A server that has no time has its reasons, and a new session would not be made either.</summary>
    private static void Count(Exception failure, ClientSession lost)
    {
        if (failure is ServiceException { RetryAfter: null, Status.CodeBits: not StatusCodes.BadServerTooBusy })
            lost.Failures++;
    }

    /// <summary>A secure channel without a session: TCP, HEL and OPN. Errors: <see cref="ServiceException"/>.</summary>
    /// <param name="endpoint">As discovered.</param>
    /// <param name="endpointUrl">Where to; see <see cref="ConnectSettings.EndpointUrl"/>.</param>
    /// <param name="handler">Receives the channel's messages, its end as well.</param>
    /// <param name="cancellation">Ends the attempt.</param>
    public ValueTask<SecureChannel> OpenChannelAsync(
        EndpointDescription endpoint,
        string endpointUrl,
        IChannelHandler handler,
        CancellationToken cancellation = default) =>
        OpenChannelAsync(endpoint, new ConnectSettings { EndpointUrl = endpointUrl }, handler, cancellation);

    private async ValueTask<SecureChannel> OpenChannelAsync(
        EndpointDescription endpoint,
        ConnectSettings settings,
        IChannelHandler handler,
        CancellationToken cancellation)
    {
        var validator = settings.CertificateValidator ?? Options.CertificateValidator;
        if (!SecurityPolicies.TryGet(endpoint.SecurityPolicyUri, out var policy))
            throw new ServiceException(
                StatusCodes.BadSecurityPolicyRejected, $"unknown security policy {endpoint.SecurityPolicyUri}");
        var options = new ClientChannelOptions
        {
            EndpointUrl = settings.EndpointUrl,
            Dial = settings.Dial,
            Policy = policy,
            SecurityMode = endpoint.SecurityMode,
            Certificate = Options.CurrentCertificate,
            ServerCertificate = policy.IsNone ? [] : CheckCertificate(endpoint, policy, validator),
            Validator = validator,
            RequestedLifetime = Options.ChannelLifetime,
            ConnectTimeout = Options.ConnectTimeout,
            LocalAddress = Options.LocalAddress,
            TlsCertificateCheck = Options.TlsCertificateCheck,
        };
        var context = Options.TransportContext ?? ProcessContext.Value;
        try
        {
            return await ClientChannel.ConnectAsync(context, options, handler, cancellation).ConfigureAwait(false);
        }
        catch (ChannelConnectException exception)
        {
            throw new ServiceException(exception.Status, exception.Message)
            {
                RetryAfter = RetryHint.FromReason(exception.Message),
            };
        }
    }

    private static ServiceException NoFittingEndpoint(EndpointDescription[] endpoints, ConnectSettings settings)
    {
        var (uri, mode) = (settings.SecurityPolicyUri, settings.SecurityMode);
        var policy = uri is null ? "a known policy"
            : SecurityPolicies.TryGet(uri, out var known) ? known.Name
            : uri;
        return new ServiceException(
            StatusCodes.BadSecurityPolicyRejected,
            $"{settings.EndpointUrl} offers no endpoint with {policy} and {EndpointSelector.ModeOf(uri, mode)}")
        {
            Fault = ConnectFault.NoFittingEndpoint,
            Offered = EndpointSelector.Alternative(endpoints, uri, mode),
        };
    }

    private async ValueTask<ClientConnection> OpenConnectionAsync(
        EndpointDescription endpoint, ConnectSettings settings, CancellationToken cancellation)
    {
        var connection = new ClientConnection(Options, _wheel);
        connection.Attach(await OpenChannelAsync(endpoint, settings, connection, cancellation).ConfigureAwait(false));
        return connection;
    }

    private byte[] CheckCertificate(
        EndpointDescription endpoint, SecurityPolicy policy, ICertificateValidator? validator)
    {
        if (Options.CurrentCertificate is null || validator is null)
            throw new ServiceException(
                StatusCodes.BadSecurityChecksFailed, "a secured endpoint needs a certificate and a validator");
        var verdict = validator.Validate(endpoint.ServerCertificate, policy, endpoint.Server.ApplicationUri);
        if (!verdict.IsAccepted)
            throw new ServiceException(verdict.Status, "the server's certificate: " + verdict.Detail)
            {
                Fault = ConnectFault.ServerCertificate,
            };
        return verdict.Leaf;
    }
}
