using Gateway.Codec.Structures;
using Gateway.Transport.Profiles;
using Gateway.Transport.Security;

namespace Gateway.Client.Discovery;

/// <summary>Chooses among a server's endpoints. The chosen endpoint is never weaker than requested, whatever a server
/// offers; without a setting the request is SignAndEncrypt (R45). Source: Part 4 §7.14.</summary>
public static class EndpointSelector
{
    /// <param name="endpoints">As GetEndpoints answered.</param>
    /// <param name="policyUri">Null: the best that both sides know; None only where <paramref name="mode"/> asks for
    /// it.</param>
    /// <param name="mode">Invalid: SignAndEncrypt, or None where the policy asked for is None.</param>
    /// <returns>Null where none fits.</returns>
    public static EndpointDescription? Choose(
        EndpointDescription[] endpoints, string? policyUri, MessageSecurityMode mode)
    {
        var needed = ModeOf(policyUri, mode);
        EndpointDescription? best = null;
        foreach (var endpoint in endpoints)
        {
            if (Fits(endpoint, policyUri, needed) && (best is null || Rank(endpoint) > Rank(best)))
                best = endpoint;
        }

        return best;
    }

    /// <summary>The mode that a choice of policy and mode stands for.</summary>
    public static MessageSecurityMode ModeOf(string? policyUri, MessageSecurityMode mode) =>
        mode != MessageSecurityMode.Invalid ? mode
        : policyUri == SecurityPolicies.None.Uri ? MessageSecurityMode.None
        : MessageSecurityMode.SignAndEncrypt;

    /// <summary>Another request that is no weaker, where <see cref="Choose"/> finds nothing. Null: all that the server
    /// offers is weaker.</summary>
    public static OfferedSecurity? Alternative(
        EndpointDescription[] endpoints, string? policyUri, MessageSecurityMode mode)
    {
        var needed = ModeOf(policyUri, mode);
        var same = PoliciesOf(endpoints, needed);
        if (same.Length > 0)
            return new OfferedSecurity(needed, same, true);
        var best = PoliciesOf(endpoints, MessageSecurityMode.SignAndEncrypt);
        return best.Length > 0 ? new OfferedSecurity(MessageSecurityMode.SignAndEncrypt, best, false) : null;
    }

    /// <summary>By a transport that the client can use; older servers name none.</summary>
    internal static bool IsReachable(EndpointDescription endpoint) =>
        string.IsNullOrEmpty(endpoint.TransportProfileUri) ||
        TransportProfiles.IsOfClient(endpoint.TransportProfileUri);

    private static bool Fits(EndpointDescription endpoint, string? policyUri, MessageSecurityMode mode) =>
        IsReachable(endpoint) &&
        SecurityPolicies.TryGet(endpoint.SecurityPolicyUri, out var policy) &&
        policy.IsNone == (mode == MessageSecurityMode.None) &&
        (policyUri is null || policyUri == policy.Uri) &&
        mode == endpoint.SecurityMode;

    private static string[] PoliciesOf(EndpointDescription[] endpoints, MessageSecurityMode mode) =>
    [
        .. endpoints.Where(endpoint => Fits(endpoint, null, mode)).OrderByDescending(Rank)
            .Select(endpoint => SecurityPolicies.TryGet(endpoint.SecurityPolicyUri, out var policy) ? policy.Name : "")
            .Distinct(),
    ];

    /// <summary>By our order first: an attacker that can change the discovery can choose the server's SecurityLevel.
    /// </summary>
    private static int Rank(EndpointDescription endpoint) =>
        (SecurityPolicies.TryGet(endpoint.SecurityPolicyUri, out var policy) ? policy.Strength << 8 : 0) +
        endpoint.SecurityLevel;
}
