using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Security;

namespace Gateway.Client.Sessions;

/// <summary>The user's token by the token policies of the endpoint. A password is encrypted as <c>[length 4 | password
/// | server nonce]</c> by the token policy's algorithm; in the clear it goes only over an encrypted channel, or where
/// the settings say so. Source: Part 4 §7.40.2, §7.41.</summary>
internal static class UserTokens
{
    public static (ExtensionObject Token, SignatureData Signature) Create(
        in UserTokenContext context, ClientIdentity identity)
    {
        UserTokenContext.ThrowIfUnprotected(identity, context.Channel.SecurityMode, context.AllowInsecureCredentials);
        var policy = Choose(context, identity.TokenType);
        return identity switch
        {
            UserNameIdentity user => (new ExtensionObject(UserName(context, policy, user)), default),
            IssuedTokenIdentity user => (new ExtensionObject(IssuedToken(context, policy, user)), default),
            CertificateIdentity user => Certificate(context, policy, user),
            _ => (new ExtensionObject(new AnonymousIdentityToken { PolicyId = policy.PolicyId }), default),
        };
    }

    private static UserTokenPolicy Choose(in UserTokenContext context, UserTokenType type)
    {
        UserTokenPolicy? best = null;
        foreach (var policy in context.Endpoint.UserIdentityTokens ?? [])
        {
            // An encrypting policy wins over one that leaves the password to the channel.
            if (policy.TokenType == type && SecurityPolicyOf(context, policy) is { } security &&
                (best is null || !security.IsNone))
                best = policy;
        }

        return best ?? (type == UserTokenType.Anonymous && (context.Endpoint.UserIdentityTokens ?? []).Length == 0
            ? new UserTokenPolicy()
            : throw new ServiceException(
                StatusCodes.BadIdentityTokenRejected, $"the endpoint takes no {type} token that this client can make"));
    }

    /// <summary>The token policy's own, the channel's where it names none, null where it is unknown here.</summary>
    private static SecurityPolicy? SecurityPolicyOf(in UserTokenContext context, UserTokenPolicy policy)
    {
        if (string.IsNullOrEmpty(policy.SecurityPolicyUri))
            return context.Channel.Policy;
        return SecurityPolicies.TryGet(policy.SecurityPolicyUri, out var found) ? found : null;
    }

    private static UserNameIdentityToken UserName(
        in UserTokenContext context, UserTokenPolicy policy, UserNameIdentity user)
    {
        var security = SecurityPolicyOf(context, policy)!;
        return new UserNameIdentityToken
        {
            PolicyId = policy.PolicyId,
            UserName = user.Name,
            Password = Protect(context, security, user.Password),
            EncryptionAlgorithm = security.EncryptionAlgorithmUri,
        };
    }

    /// <summary>As a password is encrypted: what most servers take.</summary>
    private static IssuedIdentityToken IssuedToken(
        in UserTokenContext context, UserTokenPolicy policy, IssuedTokenIdentity user)
    {
        var security = SecurityPolicyOf(context, policy)!;
        return new IssuedIdentityToken
        {
            PolicyId = policy.PolicyId,
            TokenData = Protect(context, security, user.Token),
            EncryptionAlgorithm = security.EncryptionAlgorithmUri,
        };
    }

    /// <summary>The secret in UTF-8, encrypted by the policy; in the clear only where the channel encrypts, or the
    /// settings say so.</summary>
    private static byte[] Protect(in UserTokenContext context, SecurityPolicy security, string text)
    {
        var plain = Encoding.UTF8.GetBytes(text);
        if (security.IsNone)
        {
            if (context.Channel.SecurityMode != MessageSecurityMode.SignAndEncrypt &&
                !context.AllowInsecureCredentials)
                throw new ServiceException(
                    StatusCodes.BadSecurityPolicyRejected, "the user's secret would travel in the clear")
                {
                    Fault = ConnectFault.CredentialsUnprotected,
                };
            return plain;
        }

        var secret = new byte[sizeof(int) + plain.Length + context.ServerNonce.Length];
        BinaryPrimitives.WriteInt32LittleEndian(secret, secret.Length - sizeof(int));
        plain.CopyTo(secret, sizeof(int));
        context.ServerNonce.CopyTo(secret, sizeof(int) + plain.Length);
        if (!AsymmetricCryptography.TryGetPublicKey(context.ServerCertificate, out var key))
            throw new ServiceException(
                StatusCodes.BadCertificateInvalid, "the server shows no certificate to encrypt the user's secret for");
        using (key)
        {
            var encrypted = security.EncryptAsymmetric(key, secret);
            CryptographicOperations.ZeroMemory(secret);
            CryptographicOperations.ZeroMemory(plain);
            return encrypted;
        }
    }

    private static (ExtensionObject Token, SignatureData Signature) Certificate(
        in UserTokenContext context, UserTokenPolicy policy, CertificateIdentity user)
    {
        var token = new X509IdentityToken { PolicyId = policy.PolicyId, CertificateData = user.Own.RawData };
        var security = SecurityPolicyOf(context, policy)!;
        if (security.IsNone)
            throw new ServiceException(
                StatusCodes.BadSecurityPolicyRejected, "a user certificate needs a policy to sign by");
        using var key = user.Own.GetRSAPrivateKey() ??
            throw new ServiceException(StatusCodes.BadIdentityTokenInvalid, "the user's certificate has no RSA key");
        byte[] signed = [.. context.ServerCertificate, .. context.ServerNonce];
        var signature = new SignatureData
        {
            Algorithm = security.SignatureAlgorithmUri,
            Signature = security.SignAsymmetric(key, signed),
        };
        return (new ExtensionObject(token), signature);
    }
}
