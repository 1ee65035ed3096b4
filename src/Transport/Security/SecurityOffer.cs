using Gateway.Codec.Structures;

namespace Gateway.Transport.Security;

/// <summary>The security that a server offers. The same object checks each OPN and each session and is what
/// GetEndpoints advertises.</summary>
public sealed record SecurityOffer
{
    /// <summary>Offered for sessions, in the order advertised. Without <see cref="SecurityPolicies.None"/> in it no
    /// session can be made in clear.</summary>
    public IReadOnlyList<SecurityPolicy> Policies { get; init; } = SecurityPolicies.Secured;

    /// <summary>With every policy other than None, in the order advertised.</summary>
    public IReadOnlyList<MessageSecurityMode> Modes { get; init; } =
        [MessageSecurityMode.SignAndEncrypt, MessageSecurityMode.Sign];

    public IReadOnlyList<MessageSecurityMode> ModesOf(SecurityPolicy policy) =>
        policy.IsNone ? [MessageSecurityMode.None] : Modes;

    public bool Contains(SecurityPolicy policy, MessageSecurityMode mode) =>
        Policies.Contains(policy) && HasMode(policy, mode);

    /// <summary>None goes with the policy None, and with no other.</summary>
    public bool HasMode(SecurityPolicy policy, MessageSecurityMode mode) => policy.IsNone
        ? mode == MessageSecurityMode.None
        : mode is MessageSecurityMode.Sign or MessageSecurityMode.SignAndEncrypt && Modes.Contains(mode);
}
