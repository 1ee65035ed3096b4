using System.Security.Cryptography;
using Gateway.Client.Discovery;
using Gateway.Client.Requests;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Security;

namespace Gateway.Client.Sessions;

/// <summary>CreateSession on an open channel, and the checks of its answer: the certificate is the channel's, the
/// signature is over our certificate and nonce, and the endpoints are those of the discovery. On a channel without
/// security an answer proves nothing, and is not compared. Source: Part 4 §5.7.2.</summary>
internal static class SessionOpener
{
    private const int NonceLength = 32;

    public static async ValueTask<ClientSession> OpenAsync(
        ClientConnection connection,
        EndpointDescription endpoint,
        EndpointDescription[]? discovered,
        ConnectSettings settings,
        CancellationToken cancellation)
    {
        var options = connection.Options;
        var certificate = connection.Channel.SecurityMode == MessageSecurityMode.None
            ? null
            : connection.Channel.OwnCertificate;
        var nonce = RandomNumberGenerator.GetBytes(NonceLength);
        var request = new CreateSessionRequest
        {
            ClientDescription = new ApplicationDescription
            {
                ApplicationUri = options.EffectiveApplicationUri,
                ProductUri = options.ProductUri,
                ApplicationName = new LocalizedText(options.ApplicationName),
                ApplicationType = ApplicationType.Client,
            },
            EndpointUrl = settings.EndpointUrl,
            SessionName = settings.SessionName,
            ClientNonce = nonce,
            ClientCertificate = certificate?.Der,
            RequestedSessionTimeout = options.SessionTimeout.TotalMilliseconds,
            MaxResponseMessageSize = (uint)options.MaxMessageSizeBytes,
        };
        var response = await connection.InvokeAsync<CreateSessionRequest, CreateSessionResponse>(
            request, options.RequestTimeout, cancellation).ConfigureAwait(false);
        if (certificate is not null)
        {
            Verify(connection.Channel, response, [.. certificate.Der, .. nonce]);
            var confirmed = EndpointConfirmation.Confirm(
                endpoint, discovered, EndpointConfirmation.Bounded(response.ServerEndpoints, options.MaxEndpoints),
                connection.Channel);
            CheckName(settings, options.CertificateValidator, endpoint, confirmed, connection.Channel.Policy);
            endpoint = confirmed;
        }

        connection.AuthenticationToken = response.AuthenticationToken;
        var session = new ClientSession(connection, endpoint, response, settings.AllowInsecureCredentials);
        try
        {
            await session.ActivateAsync(settings.Identity, cancellation).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            // It would stay at the server until its time-out, and so would one of each further attempt.
            if (!await session.TryLeaveAsync(deleteSubscriptions: true).ConfigureAwait(false) &&
                failure is ServiceException { IsTemporary: true } unanswered)
                unanswered.Left = session;
            throw;
        }

        session.StartKeepAlive();
        return session;
    }

    private static void Verify(SecureChannel channel, CreateSessionResponse response, byte[] signed)
    {
        var leaf = CertificateChain.Leaf(response.ServerCertificate ?? []);
        if (!leaf.AsSpan().SequenceEqual(channel.PeerCertificate))
            throw new ServiceException(
                StatusCodes.BadSecurityChecksFailed, "the session's certificate is not the channel's");
        if (!channel.Policy.VerifyAsymmetric(leaf, signed, response.ServerSignature.Signature ?? []))
            throw new ServiceException(
                StatusCodes.BadApplicationSignatureInvalid, "the server's signature is not over our nonce");
        if ((response.ServerNonce?.Length ?? 0) < NonceLength)
            throw new ServiceException(StatusCodes.BadNonceInvalid, "the server's nonce is too short");
    }

    /// <summary>The application that the session names is the one that is asked for, if one is, and the one that the
    /// certificate was made for. Discovery may have named none, so that nothing was compared when the channel was
    /// opened.</summary>
    private static void CheckName(
        ConnectSettings settings, ICertificateValidator? byDefault, EndpointDescription opened,
        EndpointDescription confirmed, SecurityPolicy policy)
    {
        EndpointConfirmation.CheckServer(confirmed, settings.ServerUri);
        var validator = settings.CertificateValidator ?? byDefault;
        if (string.IsNullOrEmpty(confirmed.Server.ApplicationUri) || validator is null)
            return;
        var verdict = validator.Validate(opened.ServerCertificate, policy, confirmed.Server.ApplicationUri);
        if (!verdict.IsAccepted)
            throw new ServiceException(
                StatusCodes.BadSecurityChecksFailed,
                $"the session names another application than its certificate: {verdict.Detail}")
            {
                Fault = ConnectFault.EndpointMismatch,
            };
    }
}
