using Gateway.Codec.Structures;
using Gateway.Transport.Security;

namespace Gateway.Client.Discovery;

/// <summary>Chooses among a server's endpoints by what was asked for, and by the server's own SecurityLevel otherwise.
/// Source: Part 4 §7.14.</summary>
public static class EndpointSelector
{
    private const string UaTcpProfile = "http://opcfoundation.org/UA-Profile/Transport/uatcp-uasc-uabinary";

    /// <param name="endpoints">As GetEndpoints answered.</param>
    /// <param name="policyUri">Null: the best that both sides know; None only where nothing else is there.</param>
    /// <param name="mode">Invalid: the server's best.</param>
    /// <returns>Null where none fits.</returns>
    public static EndpointDescription? Choose(
        EndpointDescription[] endpoints, string? policyUri, MessageSecurityMode mode)
    {
        EndpointDescription? best = null;
        foreach (var endpoint in endpoints)
        {
            if (Fits(endpoint, policyUri, mode) && (best is null || Rank(endpoint) > Rank(best)))
                best = endpoint;
        }

        return best;
    }

    private static bool Fits(EndpointDescription endpoint, string? policyUri, MessageSecurityMode mode) =>
        (string.IsNullOrEmpty(endpoint.TransportProfileUri) || endpoint.TransportProfileUri == UaTcpProfile) &&
        endpoint.SecurityPolicyUri is { } uri && SecurityPolicies.TryGet(uri, out _) &&
        (policyUri is null || policyUri == uri) &&
        (mode == MessageSecurityMode.Invalid || mode == endpoint.SecurityMode);

    /// <summary>Encrypted over signed over open, then the server's level.</summary>
    private static int Rank(EndpointDescription endpoint) =>
        ((int)endpoint.SecurityMode << 8) + endpoint.SecurityLevel;
}
