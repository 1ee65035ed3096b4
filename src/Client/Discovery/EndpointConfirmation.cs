using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Conversation;

namespace Gateway.Client.Discovery;

/// <summary>Discovery is not authenticated and so only proposes: CreateSession must repeat its endpoints on the secure
/// channel, and the session uses those. Compared are the parameters that Part 4 §5.7.2.2 has verified, but for the URL:
/// a server behind a port forwarding does not know by which name it is reached. Errors: <see cref="ServiceException"/>
/// with <see cref="ConnectFault.EndpointMismatch"/>.</summary>
internal static class EndpointConfirmation
{
    /// <param name="chosen">The endpoint by which the channel was opened.</param>
    /// <param name="discovered">All endpoints of discovery; null where the caller knew the endpoint.</param>
    /// <param name="confirmed">CreateSessionResponse.ServerEndpoints.</param>
    /// <param name="channel">Secured.</param>
    /// <returns>The endpoint as the session confirms it, with the certificate that the channel has proven.</returns>
    public static EndpointDescription Confirm(
        EndpointDescription chosen,
        EndpointDescription[]? discovered,
        EndpointDescription[] confirmed,
        SecureChannel channel)
    {
        var endpoint = Array.Find(confirmed, candidate => IsSame(chosen, candidate)) ??
            throw Mismatch("the endpoint that was chosen");
        if (discovered is not null)
        {
            if (Missing(discovered, confirmed) is { } invented)
                throw Mismatch(Name(invented));
            if (Missing(confirmed, discovered) is { } hidden)
                throw new ServiceException(
                    StatusCodes.BadSecurityChecksFailed,
                    $"the session offers {Name(hidden)}, which the discovery did not name")
                {
                    Fault = ConnectFault.EndpointMismatch,
                };
        }

        return new EndpointDescription
        {
            EndpointUrl = endpoint.EndpointUrl,
            Server = endpoint.Server,
            ServerCertificate = channel.PeerCertificate,
            SecurityMode = channel.SecurityMode,
            SecurityPolicyUri = channel.Policy.Uri,
            UserIdentityTokens = endpoint.UserIdentityTokens,
            TransportProfileUri = endpoint.TransportProfileUri,
            SecurityLevel = endpoint.SecurityLevel,
        };
    }

    /// <summary>It is the application that is asked for.</summary>
    /// <param name="endpoint">Of the discovery, or as the session confirms it, with a certificate of that URI.</param>
    /// <param name="serverUri">Null: any.</param>
    public static void CheckServer(EndpointDescription endpoint, string? serverUri)
    {
        if (serverUri is not null && endpoint.Server?.ApplicationUri != serverUri)
            throw new ServiceException(
                StatusCodes.BadServerUriInvalid,
                $"the server is {endpoint.Server?.ApplicationUri ?? "without an ApplicationUri"}, "
                    + $"and not {serverUri}")
            {
                Fault = ConnectFault.OtherServer,
            };
    }

    public static EndpointDescription[] Bounded(EndpointDescription[]? endpoints, int most)
    {
        var offered = endpoints ?? [];
        var tokens = 0L;
        foreach (var endpoint in offered)
            tokens += endpoint.UserIdentityTokens?.Length ?? 0;
        if (Math.Max(offered.Length, tokens) > most)
            throw new ServiceException(
                StatusCodes.BadEncodingLimitsExceeded,
                $"the server names {offered.Length} endpoints with {tokens} user tokens, more than {most}")
            {
                Fault = ConnectFault.TooManyEndpoints,
            };
        return offered;
    }

    private static EndpointDescription? Missing(EndpointDescription[] wanted, EndpointDescription[] among) =>
        Array.Find(wanted, endpoint => EndpointSelector.IsReachable(endpoint) &&
            !Array.Exists(among, candidate => IsSame(endpoint, candidate)));

    private static bool IsSame(EndpointDescription left, EndpointDescription right) =>
        EndpointSelector.IsReachable(right) &&
        left.SecurityMode == right.SecurityMode &&
        left.SecurityPolicyUri == right.SecurityPolicyUri &&
        left.SecurityLevel == right.SecurityLevel &&
        HasSameTokens(left.UserIdentityTokens ?? [], right.UserIdentityTokens ?? []);

    private static bool HasSameTokens(UserTokenPolicy[] left, UserTokenPolicy[] right) =>
        left.Length == right.Length && Array.TrueForAll(left, one => Array.Exists(right, other => IsSame(one, other)));

    private static bool IsSame(UserTokenPolicy left, UserTokenPolicy right) =>
        left.PolicyId == right.PolicyId && left.TokenType == right.TokenType &&
        (left.SecurityPolicyUri ?? "") == (right.SecurityPolicyUri ?? "") &&
        (left.IssuedTokenType ?? "") == (right.IssuedTokenType ?? "");

    private static string Name(EndpointDescription endpoint) =>
        $"the endpoint {endpoint.SecurityPolicyUri} {endpoint.SecurityMode} with its user tokens";

    private static ServiceException Mismatch(string what) =>
        new(StatusCodes.BadSecurityChecksFailed, $"the session does not confirm {what}, which the discovery named")
        {
            Fault = ConnectFault.EndpointMismatch,
        };
}
