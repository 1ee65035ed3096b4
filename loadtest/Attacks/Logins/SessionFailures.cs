using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Loadtest.Clients;
using Gateway.Transport.Security;

namespace Gateway.Loadtest.Attacks.Logins;

/// <summary>The ways to fail at CreateSession and ActivateSession. Compared with each other are those of one service
/// and one type of token: a password costs a derivation, a certificate costs none, and no secret lies between them. A
/// wrong application signature is found before the token is checked, so it stands with the cheap ones.</summary>
/// <param name="session">Sends them.</param>
/// <param name="user">Has a password.</param>
/// <param name="certificates">0: that of the session's application; 1: of a trusted user; 2: of no account.</param>
internal sealed class SessionFailures(CraftedSession session, string user, CertificateSet certificates)
{
    private const int Trusted = 1;
    private const int Stranger = 2;

    private readonly byte[] _earlierNonce = session.ServerNonce;

    public (string Name, Func<int, Task<bool>> Try)[] Creations =>
    [
        Creation("a short nonce", StatusCodes.BadNonceInvalid, session.NewSession(nonce: new byte[8])),
        Creation("a nonce of zeros", StatusCodes.BadNonceInvalid, session.NewSession(nonce: new byte[32])),
        Creation(
            "another certificate", StatusCodes.BadSecurityChecksFailed,
            session.NewSession(certificate: certificates[Stranger].Der)),
        Creation(
            "another application's URI", StatusCodes.BadSecurityChecksFailed,
            session.NewSession(applicationUri: "urn:gateway:liar")),
        Creation(
            "another server's URI", StatusCodes.BadServerUriInvalid,
            session.NewSession(serverUri: "urn:gateway:another")),
    ];

    public (string Name, Func<int, Task<bool>> Try)[] Passwords =>
    [
        Password("an unknown user", round => (Invariant($"nobody{round}"), Sealed("wrong", session.ServerNonce))),
        Password("a wrong password", round => (user, Sealed(Invariant($"wrong{round}"), session.ServerNonce))),
        Password("a password that cannot be decrypted", _ => (user, RandomBelowModulus())),
        Password(
            "a password sealed for an earlier nonce",
            round => (user, Sealed(Invariant($"wrong{round}"), _earlierNonce))),
    ];

    public (string Name, Func<int, Task<bool>> Try)[] Certificates =>
    [
        Certificate("an untrusted user", StatusCodes.BadIdentityTokenRejected, Stranger, signer: Stranger),
        Certificate("a trusted user's wrong signature", StatusCodes.BadUserSignatureInvalid, Trusted, signer: Stranger),
        ("a wrong signature of the application", async _ => await IsRefusedAsync(
            StatusCodes.BadApplicationSignatureInvalid,
            new ActivateSessionRequest
            {
                ClientSignature = session.Sign(certificates[Stranger]),
                UserIdentityToken = new ExtensionObject(TokenOf(Trusted)),
                UserTokenSignature = session.Sign(certificates[Trusted]),
            })),
    ];

    /// <summary>Right credentials are accepted: so the others fail for their own faults.</summary>
    public async Task<bool> AreRightOnesLetInAsync(string password)
    {
        var byCertificate = await session.ActivateAsync(
            session.NewActivation(TokenOf(Trusted), session.Sign(certificates[Trusted])));
        var byPassword = await session.ActivateAsync(
            session.NewActivation(TokenOf(user, Sealed(password, session.ServerNonce))));
        return byCertificate.IsGood && byPassword.IsGood;
    }

    /// <summary>A refused request is no sign of life.</summary>
    public async Task KeepAliveAsync() => await session.AskAsync(new ReadRequest
    {
        NodesToRead =
        [
            new ReadValueId
            {
                NodeId = new NodeId(StandardIds.Variables.Server_ServerStatus_State),
                AttributeId = (uint)AttributeId.Value,
            },
        ],
    });

    private (string Name, Func<int, Task<bool>> Try) Creation(
        string name, uint expected, CreateSessionRequest request) =>
        (name, async _ => (await session.AskAsync(request)).CodeBits == expected);

    private (string Name, Func<int, Task<bool>> Try) Password(
        string name, Func<int, (string User, byte[] Secret)> of)
    {
        return (name, TryAsync);

        Task<bool> TryAsync(int round)
        {
            var (who, secret) = of(round);
            return IsRefusedAsync(StatusCodes.BadUserAccessDenied, session.NewActivation(TokenOf(who, secret)));
        }
    }

    private (string Name, Func<int, Task<bool>> Try) Certificate(
        string name, uint expected, int whose, int signer) => (name, _ => IsRefusedAsync(
            expected, session.NewActivation(TokenOf(whose), session.Sign(certificates[signer]))));

    private async Task<bool> IsRefusedAsync(uint expected, ActivateSessionRequest request) =>
        (await session.ActivateAsync(request)).CodeBits == expected;

    private X509IdentityToken TokenOf(int certificate) => new()
    {
        PolicyId = session.TokenPolicyOf(UserTokenType.Certificate),
        CertificateData = certificates[certificate].Der,
    };

    private UserNameIdentityToken TokenOf(string name, byte[] secret) => new()
    {
        PolicyId = session.TokenPolicyOf(UserTokenType.UserName),
        UserName = name,
        Password = secret,
        EncryptionAlgorithm = session.Policy.EncryptionAlgorithmUri,
    };

    /// <summary><c>[length 4 | password | nonce]</c>, for the server's key. Source: Part 4 §7.41.2.2.</summary>
    private byte[] Sealed(string password, byte[] nonce)
    {
        var text = Encoding.UTF8.GetBytes(password);
        var secret = new byte[sizeof(int) + text.Length + nonce.Length];
        BinaryPrimitives.WriteInt32LittleEndian(secret, text.Length + nonce.Length);
        text.CopyTo(secret, sizeof(int));
        nonce.CopyTo(secret, sizeof(int) + text.Length);
        if (!AsymmetricCryptography.TryGetPublicKey(session.ServerCertificate, out var key))
            throw new InvalidOperationException("the server shows no certificate to encrypt for");
        using (key)
            return session.Policy.EncryptAsymmetric(key, secret);
    }

    /// <summary>As long as a sealed one; below the modulus, or it would be refused without a decryption.</summary>
    private byte[] RandomBelowModulus()
    {
        var bytes = RandomNumberGenerator.GetBytes(Sealed("x", session.ServerNonce).Length);
        bytes[0] = 0;
        return bytes;
    }

    private static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
