using System.Security.Cryptography;

namespace Gateway.PubSub.Uadp.Security;

/// <summary>One key of a SecurityGroup. Immutable. Source: Part 14 §7.2.4.4.3, Table of the key data.</summary>
public sealed class SecurityKey
{
    private const int FingerprintBytes = 16;

    private readonly byte[] _data;
    private readonly PubSubSecurityPolicy _policy;

    /// <param name="policy">Gives the lengths.</param>
    /// <param name="tokenId">Not 0.</param>
    /// <param name="data">Signing key, encrypting key, KeyNonce; a copy is kept.</param>
    /// <param name="validFrom">UTC; from then on it is used for sending.</param>
    public SecurityKey(PubSubSecurityPolicy policy, uint tokenId, ReadOnlySpan<byte> data, DateTime validFrom = default)
    {
        ArgumentOutOfRangeException.ThrowIfZero(tokenId);
        ArgumentOutOfRangeException.ThrowIfNotEqual(data.Length, policy.KeyDataBytes);
        (_policy, TokenId, _data, ValidFrom) = (policy, tokenId, data.ToArray(), validFrom);
        Fingerprint = Convert.ToHexStringLower(SHA256.HashData(data)[..FingerprintBytes]);
    }

    public uint TokenId { get; }

    /// <summary>The same for the same key; says nothing about it.</summary>
    public string Fingerprint { get; }

    public DateTime ValidFrom { get; }

    internal ReadOnlySpan<byte> SigningKey => _data.AsSpan(0, PubSubSecurityPolicy.SigningKeyBytes);

    internal ReadOnlySpan<byte> EncryptingKey =>
        _data.AsSpan(PubSubSecurityPolicy.SigningKeyBytes, _policy.EncryptingKeyBytes);

    internal ReadOnlySpan<byte> KeyNonce => _data.AsSpan(^PubSubSecurityPolicy.KeyNonceBytes..);
}
