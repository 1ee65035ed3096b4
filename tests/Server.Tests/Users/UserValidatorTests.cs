using System.Buffers.Binary;
using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Gateway.Admission;
using Gateway.Admission.Clients;
using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Tests.Support;
using Gateway.Server.Users;
using Gateway.Testing;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Server.Tests.Users;

public sealed class UserValidatorTests : IAsyncLifetime, IDisposable
{
    private static readonly byte[] Nonce = [.. Enumerable.Range(0, 32).Select(i => (byte)i)];
    private static readonly PasswordHash Hash = PasswordHash.Create("correct horse"u8, 10_000);

    private readonly ManualTimeProvider _time = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("users-").FullName;
    private readonly PrivateKeyLane _lane = new(
        new TransportLimits(), TimeProvider.System, ServerFixture.MakeCounters(),
        new AdmissionControl(new AdmissionLimits(), TimeProvider.System, true, 200), new PlantLateness());
    private PkiStore _store = null!;
    private ApplicationCertificate _server = null!;

    public static TheoryData<string> Policies => ["Basic256Sha256", "Aes128_Sha256_RsaOaep", "Aes256_Sha256_RsaPss"];

    public Task InitializeAsync()
    {
        _store = new PkiStore(_folder, _time, NullLoggerFactory.Instance, 200);
        _server = new ApplicationCertificateStore(_store).LoadOrCreate(
            new ApplicationCertificateOptions { ApplicationUri = "urn:test:server", ApplicationName = "server" });
        return Task.CompletedTask;
    }

    public async Task DisposeAsync()
    {
        await _store.DisposeAsync();
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    public void Dispose() => _lane.Dispose();

    [Fact]
    public async Task Validate_Anonymous_RolesOfTheConfiguration()
    {
        var validator = Validator(anonymous: Roles.Observer);

        var verdict = await ValidateAsync(validator, new AnonymousIdentityToken(), SecurityPolicies.None);

        Assert.Equal(StatusCode.Good, verdict.Status);
        Assert.True(verdict.Identity!.IsAnonymous);
        Assert.Equal(Roles.Observer, verdict.Identity.Roles);
    }

    [Fact]
    public async Task Validate_AnonymousNotLetIn_Rejected()
    {
        var validator = Validator(anonymous: null);

        var verdict = await ValidateAsync(validator, new AnonymousIdentityToken(), SecurityPolicies.None);

        Assert.Equal(StatusCodes.BadIdentityTokenRejected, verdict.Status.Code);
        Assert.Null(verdict.Identity);
    }

    [Theory]
    [MemberData(nameof(Policies))]
    public async Task Validate_RightPassword_Good(string name)
    {
        var policy = Policy(name);
        var validator = Validator();

        for (var again = 0; again < 2; again++)
        {
            var verdict = await ValidateAsync(validator, Token(policy, "operator", "correct horse"), policy);

            Assert.Equal(StatusCode.Good, verdict.Status);
            Assert.Equal(
                new UserIdentity("operator", "operator", Roles.Operator, UserKind.UserName),
                verdict.Identity! with { Grant = null });
        }
    }

    [Theory]
    [MemberData(nameof(Policies))]
    public async Task Validate_EveryWrongPassword_SameAnswer(string name)
    {
        var policy = Policy(name);
        var validator = Validator();
        var right = Token(policy, "operator", "correct horse");
        UserNameIdentityToken[] wrong =
        [
            Token(policy, "operator", "wrong"),
            Token(policy, "operator", ""),
            Token(policy, "nobody", "correct horse"),
            Token(policy, "Operator", "correct horse"),
            Token(policy, "operator", "correct horse", nonce: new byte[32]),
            Token(policy, "operator", "correct horse", nonce: []),
            Token(policy, "operator", new string('x', 600)),
            With(right, [.. right.Password!.Select(b => (byte)(b ^ 1))]),
            With(right, right.Password![..100]),
            With(right, []),
            With(right, new byte[policy.EncryptAsymmetric(_server.PrivateKey, [1]).Length * 20]),
        ];
        foreach (var token in wrong)
        {
            var verdict = await ValidateAsync(validator, token, policy);
            _time.Advance(TimeSpan.FromSeconds(2));

            Assert.Equal(StatusCodes.BadUserAccessDenied, verdict.Status.Code);
            Assert.Null(verdict.Identity);
        }
    }

    /// <summary>Lines that have a field for the user name him once, the others by the detail.</summary>
    [Fact]
    public async Task Validate_WrongPassword_UserNamedBesideTheDetailAndNotInIt()
    {
        var policy = SecurityPolicies.Basic256Sha256;

        var verdict = await ValidateAsync(Validator(), Token(policy, "ot\"to", "wrong"), policy);

        Assert.Equal(("ot\"to", "wrong user name or password"), (verdict.UserName, verdict.Detail));
        Assert.Equal("user \"ot\\u0022to\": wrong user name or password", verdict.DetailWithUser);
    }

    [Fact]
    public async Task Validate_OtherEncryptionThanThePolicys_InvalidAndNotDecrypted()
    {
        var policy = SecurityPolicies.Basic256Sha256;
        var validator = Validator();
        var token = Token(policy, "operator", "correct horse");
        foreach (var algorithm in new[] { null, "", "http://www.w3.org/2001/04/xmlenc#rsa-1_5" })
        {
            var other = new UserNameIdentityToken
            {
                PolicyId = token.PolicyId,
                UserName = token.UserName,
                Password = token.Password,
                EncryptionAlgorithm = algorithm,
            };

            var verdict = await ValidateAsync(validator, other, policy);

            Assert.Equal(StatusCodes.BadIdentityTokenInvalid, verdict.Status.Code);
        }
    }

    [Fact]
    public async Task Validate_GuessesFromOneAddress_DelayedThereAndNotElsewhere()
    {
        var policy = SecurityPolicies.None;
        var validator = Validator();
        for (var i = 0; i < 6; i++)
            await ValidateAsync(validator, Token(policy, "operator", "wrong"), policy);

        var here = await ValidateAsync(validator, Token(policy, "operator", "correct horse"), policy);
        var elsewhere = await ValidateAsync(validator, Token(policy, "operator", "correct horse"), policy, "127.0.0.9");
        _time.Advance(TimeSpan.FromSeconds(1));
        var later = await ValidateAsync(validator, Token(policy, "operator", "correct horse"), policy);

        Assert.Equal(StatusCodes.BadUserAccessDenied, here.Status.Code);
        Assert.Equal(StatusCode.Good, elsewhere.Status);
        Assert.Equal(StatusCode.Good, later.Status);
    }

    [Theory]
    [MemberData(nameof(Policies))]
    public async Task Validate_TrustedUserCertificate_OnlyWithItsOwnSignature(string name)
    {
        var policy = Policy(name);
        using var key = RSA.Create(2048);
        var der = UserCertificate(key);
        await File.WriteAllBytesAsync(Path.Combine(_folder, "trustedUser", "certs", "user.der"), der);
        var validator = Validator();
        byte[] signed = [.. _server.Der, .. Nonce];
        var token = new X509IdentityToken { PolicyId = "x509", CertificateData = der };

        var good = await ValidateAsync(validator, token, policy, signature: Sign(policy, key, signed));
        var otherData = await ValidateAsync(validator, token, policy, signature: Sign(policy, key, Nonce));
        var otherKey =
            await ValidateAsync(validator, token, policy, signature: Sign(policy, _server.PrivateKey, signed));
        var none = await ValidateAsync(validator, token, policy);

        Assert.Equal(StatusCode.Good, good.Status);
        Assert.Equal(UserKind.Certificate, good.Identity!.Kind);
        Assert.Equal(Roles.Observer, good.Identity.Roles);
        // The audit log puts it into quotation marks.
        Assert.DoesNotContain('"', good.Identity.DisplayName);
        Assert.EndsWith($" (thumbprint {good.Identity.Key})", good.Identity.DisplayName, StringComparison.Ordinal);
        Assert.All(
            new[] { otherData, otherKey, none },
            verdict => Assert.Equal(StatusCodes.BadUserSignatureInvalid, verdict.Status.Code));
    }

    [Fact]
    public async Task Validate_UnknownUserCertificate_RejectedUnlessTheAccountNamesIt()
    {
        var policy = SecurityPolicies.Basic256Sha256;
        using var key = RSA.Create(2048);
        var der = UserCertificate(key);
        var thumbprint = X509CertificateLoader.LoadCertificate(der).Thumbprint;
        var token = new X509IdentityToken { PolicyId = "x509", CertificateData = der };
        var signature = Sign(policy, key, [.. _server.Der, .. Nonce]);
        var strict = Validator();
        var named = Validator(thumbprint: thumbprint);

        var refused = await ValidateAsync(strict, token, policy, signature: signature);
        var accepted = await ValidateAsync(named, token, policy, signature: signature);

        Assert.Equal(StatusCodes.BadIdentityTokenRejected, refused.Status.Code);
        Assert.Equal(thumbprint, refused.Certificate!.Thumbprint);
        Assert.Null(accepted.Certificate);
        Assert.Equal(StatusCode.Good, accepted.Status);
        Assert.Equal(Roles.Engineer, accepted.Identity!.Roles);
        Assert.Equal("engineer", accepted.Identity.DisplayName);
    }

    [Fact]
    public async Task Validate_WrongSignaturesOfAUserCertificate_SlowedLikePasswords()
    {
        using var key = RSA.Create(2048);
        using var other = RSA.Create(2048);
        var policy = Policy("Basic256Sha256");
        var der = UserCertificate(key);
        var token = new X509IdentityToken { PolicyId = "x509", CertificateData = der };
        var validator = Validator(thumbprint: X509CertificateLoader.LoadCertificate(der).Thumbprint);
        byte[] data = [.. _server.Der, .. Nonce];
        for (var i = 0; i < 5; i++)
            Assert.Equal(
                StatusCodes.BadUserSignatureInvalid,
                (await ValidateAsync(validator, token, policy, signature: Sign(policy, other, data))).Status.Code);

        var slowed = await ValidateAsync(validator, token, policy, signature: Sign(policy, key, data));
        _time.Advance(1_000);
        var right = await ValidateAsync(validator, token, policy, signature: Sign(policy, key, data));
        var again = await ValidateAsync(validator, token, policy, signature: Sign(policy, key, data));

        Assert.Equal(RefusalReason.LockedOut, slowed.Reason);
        Assert.Equal(StatusCode.Good, right.Status);
        Assert.Equal(StatusCode.Good, again.Status);
    }

    /// <summary>As with the certificate of an application: the checks of its chain cost the address.</summary>
    [Fact]
    public async Task Validate_UserCertificate_TheAddressPaysForItsSignatureChecks()
    {
        using var key = RSA.Create(2048);
        var admission = new AdmissionControl(new AdmissionLimits(), _time, true, 200);
        var entry = new TestDoorEntry(IPAddress.Loopback);
        admission.Door.Arrive(entry);
        var before = entry.Pass!.Address.LaneShare.Finish;

        await ValidateAsync(
            Validator(), new X509IdentityToken { PolicyId = "x509", CertificateData = UserCertificate(key) },
            Policy("Basic256Sha256"), pass: entry.Pass);

        // One that is self-signed takes one check, beside the work that is done for it.
        const double Work = 1;
        Assert.Equal(Work + AdmissionControl.PriceOfCheck, entry.Pass.Address.LaneShare.Finish - before, 9);
    }

    /// <summary>Each request over HTTPS shows the certificate anew: only the first is work for the lane, where it would
    /// keep handshakes waiting, or be refused in a storm of them.</summary>
    [Fact]
    public async Task Validate_CertificateThatTlsHasProven_SecondTimeWithoutTheLane()
    {
        using var key = RSA.Create(2048);
        var der = UserCertificate(key);
        var validator = Validator(thumbprint: X509CertificateLoader.LoadCertificate(der).Thumbprint);
        var first = await ProvenAsync(validator, der);
        _lane.Dispose();

        var second = await ProvenAsync(validator, der);

        Assert.Equal((StatusCode.Good, StatusCode.Good), (first.Status, second.Status));
        Assert.Same(first.Identity, second.Identity);
    }

    private static ValueTask<UserVerdict> ProvenAsync(UserValidator validator, byte[] der) => validator.ValidateAsync(
        new UserTokenContext
        {
            Token = new X509IdentityToken { CertificateData = der },
            Policy = new UserTokenPolicy(),
            SecurityPolicy = SecurityPolicies.Basic256Sha256,
            IsKeyProven = true,
            ServerNonce = [],
            ClientCertificate = [],
            RemoteEndPoint = new IPEndPoint(IPAddress.Loopback, 1),
        },
        CancellationToken.None);

    private static SecurityPolicy Policy(string name) =>
        SecurityPolicies.TryGetByName(name, out var policy) ? policy : throw new ArgumentException(name);

    private static UserNameIdentityToken With(UserNameIdentityToken token, byte[] password) => new()
    {
        PolicyId = token.PolicyId,
        UserName = token.UserName,
        Password = password,
        EncryptionAlgorithm = token.EncryptionAlgorithm,
    };

    private static SignatureData Sign(SecurityPolicy policy, RSA key, byte[] data) =>
        new() { Algorithm = policy.SignatureAlgorithmUri, Signature = policy.SignAsymmetric(key, data) };

    private byte[] UserCertificate(RSA key)
    {
        var request = new CertificateRequest("CN=engineer", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(
            new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, critical: true));
        using var certificate = request.CreateSelfSigned(_time.GetUtcNow().AddDays(-1), _time.GetUtcNow().AddDays(1));
        return certificate.RawData;
    }

    private UserNameIdentityToken Token(SecurityPolicy policy, string name, string password, byte[]? nonce = null)
    {
        var secret = Encoding.UTF8.GetBytes(password);
        if (!policy.IsNone)
        {
            byte[] plain = [0, 0, 0, 0, .. secret, .. nonce ?? Nonce];
            BinaryPrimitives.WriteInt32LittleEndian(plain, plain.Length - 4);
            secret = policy.EncryptAsymmetric(_server.PrivateKey, plain);
        }
        return new UserNameIdentityToken
        {
            PolicyId = "user",
            UserName = name,
            Password = secret,
            EncryptionAlgorithm = policy.EncryptionAlgorithmUri,
        };
    }

    [Theory]
    [MemberData(nameof(Policies))]
    public async Task Validate_IssuedToken_BothFormatsAndAllLengths(string name)
    {
        var policy = Policy(name);
        foreach (var length in new[] { 5, 64, 500, 2_000, 7_000 })
        {
            var data = Encoding.UTF8.GetBytes("right" + new string('x', length - 5));
            var newer = Issued(SealedSecret.Make(policy, _server, data, Nonce));
            var older = Issued(policy.EncryptAsymmetric(_server.PrivateKey, Legacy(data, Nonce)), policy);

            Assert.Equal("anna", (await ValidateAsync(Validator(), newer, policy)).Identity?.Key);
            // The standard gives the older one short secrets alone.
            Assert.Equal(length < 3_000, (await ValidateAsync(Validator(), older, policy)).Identity is not null);
        }
    }

    [Theory]
    [MemberData(nameof(Policies))]
    public async Task Validate_IssuedTokenThatIsNotEncryptedForThisSession_Rejected(string name)
    {
        var policy = Policy(name);
        var right = "right"u8.ToArray();
        var good = SealedSecret.Make(policy, _server, right, Nonce);
        byte[][] wrong =
        [
            SealedSecret.Make(policy, _server, right, new byte[32]),
            SealedSecret.Make(policy, _server, right, []),
            SealedSecret.Make(policy, _server, right, Nonce, policyUri: SecurityPolicies.None.Uri),
            SealedSecret.Make(policy, _server, right, Nonce, thumbprint: new byte[20]),
            SealedSecret.Make(policy, _server, right, Nonce, padding: 1),
            SealedSecret.Make(policy, _server, right, Nonce, wrongMac: true),
            SealedSecret.Make(policy, _server, "wrong"u8.ToArray(), Nonce),
            good[..^1],
            [.. good, 0],
            .. Enumerable.Range(0, good.Length / 16).Select(i => Flip(good, i * 16)),
            .. Enumerable.Range(0, good.Length / 16).Select(i => good[..(i * 16)]),
        ];
        foreach (var data in wrong)
        {
            var verdict = await ValidateAsync(Validator(), Issued(data, policy), policy);

            Assert.Null(verdict.Identity);
            Assert.Equal(StatusCodes.BadIdentityTokenRejected, verdict.Status.Code);
        }

        Assert.Equal(StatusCodes.BadIdentityTokenRejected, (await ValidateAsync(
            Validator(), Issued(policy.EncryptAsymmetric(_server.PrivateKey, Legacy(right, new byte[32])), policy),
            policy)).Status.Code);
        Assert.Equal(
            StatusCodes.BadIdentityTokenInvalid, (await ValidateAsync(Validator(), Issued(right), policy)).Status.Code);
    }

    /// <summary>A client that goes on with a token of no use is slowed down, by its own account.</summary>
    [Fact]
    public async Task Validate_IssuedTokensOfNoUse_LockedOut()
    {
        var validator = Validator();
        for (var i = 0; i < ServerLimits.Default.MaxFailedLogins; i++)
            await ValidateAsync(validator, Issued("wrong"u8.ToArray()), SecurityPolicies.None);

        var locked = await ValidateAsync(validator, Issued("wrong"u8.ToArray()), SecurityPolicies.None);
        var other = await ValidateAsync(validator, Issued("right"u8.ToArray()), SecurityPolicies.None);

        Assert.Equal(RefusalReason.LockedOut, locked.Reason);
        Assert.Equal("anna", other.Identity?.Key);
    }

    private static byte[] Flip(byte[] data, int place)
    {
        var flipped = data.ToArray();
        flipped[place] ^= 1;
        return flipped;
    }

    private static byte[] Legacy(byte[] secret, byte[] nonce)
    {
        var length = new byte[4];
        BinaryPrimitives.WriteInt32LittleEndian(length, secret.Length + nonce.Length);
        return [.. length, .. secret, .. nonce];
    }

    private static IssuedIdentityToken Issued(byte[] data, SecurityPolicy? policy = null) =>
        new() { TokenData = data, EncryptionAlgorithm = policy?.EncryptionAlgorithmUri };

    private UserValidator Validator(Roles? anonymous = Roles.Observer, string? thumbprint = null)
    {
        var users = new UserDirectory(
            [
                new UserAccount("operator", Hash, null, Roles.Operator),
                new UserAccount("engineer", null, thumbprint, Roles.Engineer),
            ],
            anonymous, Roles.Observer);
        var certificates = new CertificateValidator(_store, new CertificateValidatorOptions
        {
            PeerRole = CertificatePeerRole.User,
            PinnedThumbprints = new HashSet<string> { thumbprint ?? "" },
        });
        return new UserValidator(
            users, certificates, new FakeTokens(), () => _server, _lane, _time, ServerLimits.Default);
    }

    private static ValueTask<UserVerdict> ValidateAsync(
        UserValidator validator, UserIdentityToken token, SecurityPolicy policy, string address = "127.0.0.1",
        SignatureData signature = default, ClientPass? pass = null) =>
        validator.ValidateAsync(
            new UserTokenContext
            {
                Token = token,
                Policy = new UserTokenPolicy(),
                SecurityPolicy = policy,
                Signature = signature,
                ServerNonce = Nonce,
                ClientCertificate = [],
                RemoteEndPoint = new IPEndPoint(IPAddress.Parse(address), 1),
                Pass = pass,
            },
            CancellationToken.None);
}
