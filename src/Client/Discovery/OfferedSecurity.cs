using Gateway.Codec.Structures;

namespace Gateway.Client.Discovery;

/// <summary>A server's offer that differs from the request and is no weaker.</summary>
/// <param name="Mode">As asked for, or else SignAndEncrypt.</param>
/// <param name="Policies">The names of the known policies in that mode, best first; at least one.</param>
/// <param name="IsAsAskedFor">Only the policy is another.</param>
public sealed record OfferedSecurity(MessageSecurityMode Mode, IReadOnlyList<string> Policies, bool IsAsAskedFor);
