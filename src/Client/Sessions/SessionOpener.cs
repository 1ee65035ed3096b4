using System.Security.Cryptography;
using Gateway.Client.Requests;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Security;

namespace Gateway.Client.Sessions;

/// <summary>CreateSession on an open channel, and the checks of its answer: the certificate is the channel's, the
/// signature is over our certificate and nonce, and the endpoint is among those of the session.
/// Source: Part 4 §5.7.2.</summary>
internal static class SessionOpener
{
    private const int NonceLength = 32;

    public static async ValueTask<ClientSession> OpenAsync(
        ClientConnection connection,
        EndpointDescription endpoint,
        string endpointUrl,
        string sessionName,
        ClientIdentity identity,
        CancellationToken cancellation)
    {
        var options = connection.Options;
        var certificate = connection.Channel.SecurityMode == MessageSecurityMode.None ? null : options.Certificate;
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
            EndpointUrl = endpointUrl,
            SessionName = sessionName,
            ClientNonce = nonce,
            ClientCertificate = certificate?.Der,
            RequestedSessionTimeout = options.SessionTimeout.TotalMilliseconds,
            MaxResponseMessageSize = (uint)options.MaxMessageSizeBytes,
        };
        var response = await connection.InvokeAsync<CreateSessionRequest, CreateSessionResponse>(
            request, options.RequestTimeout, cancellation).ConfigureAwait(false);
        if (certificate is not null)
            Verify(connection, endpoint, response, [.. certificate.Der, .. nonce]);
        connection.AuthenticationToken = response.AuthenticationToken;
        var session = new ClientSession(connection, endpoint, response);
        await session.ActivateAsync(identity, cancellation).ConfigureAwait(false);
        session.StartKeepAlive();
        return session;
    }

    private static void Verify(
        ClientConnection connection, EndpointDescription endpoint, CreateSessionResponse response, byte[] signed)
    {
        var channel = connection.Channel;
        var leaf = CertificateChain.Leaf(response.ServerCertificate ?? []);
        if (!leaf.AsSpan().SequenceEqual(channel.PeerCertificate))
            throw new ServiceException(
                StatusCodes.BadSecurityChecksFailed, "the session's certificate is not the channel's");
        if (!channel.Policy.VerifyAsymmetric(leaf, signed, response.ServerSignature.Signature ?? []))
            throw new ServiceException(
                StatusCodes.BadApplicationSignatureInvalid, "the server's signature is not over our nonce");
        if ((response.ServerNonce?.Length ?? 0) < NonceLength)
            throw new ServiceException(StatusCodes.BadNonceInvalid, "the server's nonce is too short");
        if (!IsOffered(endpoint, response.ServerEndpoints ?? []))
            throw new ServiceException(
                StatusCodes.BadSecurityChecksFailed, "the session does not confirm the endpoint that was discovered");
    }

    /// <summary>Discovery is not authenticated: what it said must be said again on the secure channel. A server leaves
    /// the certificate out here, which the channel has proven (Part 4 §5.7.2.2).</summary>
    private static bool IsOffered(EndpointDescription endpoint, EndpointDescription[] offered)
    {
        foreach (var candidate in offered)
        {
            if (candidate.SecurityMode == endpoint.SecurityMode &&
                candidate.SecurityPolicyUri == endpoint.SecurityPolicyUri &&
                HasSameTokens(candidate.UserIdentityTokens ?? [], endpoint.UserIdentityTokens ?? []))
                return true;
        }

        return false;
    }

    private static bool HasSameTokens(UserTokenPolicy[] left, UserTokenPolicy[] right)
    {
        var same = left.Length == right.Length;
        for (var i = 0; same && i < left.Length; i++)
        {
            same = left[i].PolicyId == right[i].PolicyId && left[i].TokenType == right[i].TokenType &&
                left[i].SecurityPolicyUri == right[i].SecurityPolicyUri;
        }

        return same;
    }
}
