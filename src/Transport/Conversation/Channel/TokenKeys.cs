using Gateway.Codec.Structures;
using Gateway.Transport.Security;

namespace Gateway.Transport.Conversation;

/// <summary>Makes a token's two protections from the nonces of its OPN.</summary>
internal static class TokenKeys
{
    /// <param name="policy">The channel's.</param>
    /// <param name="mode">The channel's.</param>
    /// <param name="ownNonce">The nonce of this side.</param>
    /// <param name="peerNonce">The nonce of the other side.</param>
    public static (ChunkProtection Outgoing, ChunkProtection Incoming) Derive(
        SecurityPolicy policy, MessageSecurityMode mode, ReadOnlySpan<byte> ownNonce, ReadOnlySpan<byte> peerNonce)
    {
        if (policy.IsNone)
            return (new NoProtection(), new NoProtection());
        using var outgoing = KeyDerivation.DeriveSenderKeys(policy, ownNonce, peerNonce);
        using var incoming = KeyDerivation.DeriveSenderKeys(policy, peerNonce, ownNonce);
        var encrypted = mode == MessageSecurityMode.SignAndEncrypt;
        return (new CbcHmacProtection(SymmetricPrimitives.Create(outgoing, encrypted ? true : null), encrypted),
            new CbcHmacProtection(SymmetricPrimitives.Create(incoming, encrypted ? false : null), encrypted));
    }
}
