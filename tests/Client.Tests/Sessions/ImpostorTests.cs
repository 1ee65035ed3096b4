using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Gateway.Client.Sessions;
using Gateway.Codec.Structures;
using Gateway.Loadtest.Peers.Hostile;
using Gateway.Transport.Certificates;
using Gateway.Transport.Security;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Client.Tests.Sessions;

/// <summary>A server that is not what it says, over a socket: no secret reaches it, and nothing weaker than what was
/// asked for is taken (R45).</summary>
public sealed class ImpostorTests : IAsyncLifetime, IDisposable
{
    private const string Password = "the-plant's-password";

    private static readonly SecurityPolicy Strong = SecurityPolicies.Aes256Sha256RsaPss;
    private static readonly SecurityPolicy Weaker = SecurityPolicies.Basic256Sha256;

    private readonly string _folder = Directory.CreateTempSubdirectory("client-").FullName;
    private readonly List<HostileServer> _servers = [];
    private readonly PkiStore _pki;
    private readonly ApplicationCertificate _certificate;

    public ImpostorTests()
    {
        _pki = new PkiStore(_folder, TimeProvider.System, NullLoggerFactory.Instance, 200);
        _certificate = new ApplicationCertificateStore(_pki).LoadOrCreate(new ApplicationCertificateOptions
        {
            ApplicationUri = "urn:test:client",
            ApplicationName = "Client",
            HostNames = ["localhost"],
        });
    }

    public static TheoryData<bool> Identities => [true, false];

    public Task InitializeAsync() => Task.CompletedTask;

    public void Dispose() => _certificate.Dispose();

    public async Task DisposeAsync()
    {
        foreach (var server in _servers)
            await server.DisposeAsync();
        await _pki.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    [Theory]
    [MemberData(nameof(Identities))]
    public async Task Connect_OnlyNoneWithAnEncryptedToken_NothingIsSent(bool byPassword)
    {
        var server = await StartAsync((SecurityPolicies.None, MessageSecurityMode.None, Weaker.Uri));

        var refused = await RefusedAsync(server, new ConnectSettings
        {
            EndpointUrl = server.Url,
            Identity = byPassword ? ClientIdentity.UserName("joe", Password) : ByCertificate(),
        });

        Assert.Equal(ConnectFault.NoFittingEndpoint, refused.Fault);
        Assert.Equal(0, server.Services.Count<CreateSessionRequest>());
    }

    [Theory]
    [MemberData(nameof(Identities))]
    public async Task Connect_NoneConfigured_CredentialsAreNotSent(bool byPassword)
    {
        var server = await StartAsync((SecurityPolicies.None, MessageSecurityMode.None, Weaker.Uri));

        var refused = await RefusedAsync(server, new ConnectSettings
        {
            EndpointUrl = server.Url,
            SecurityPolicyUri = SecurityPolicies.None.Uri,
            Identity = byPassword ? ClientIdentity.UserName("joe", Password) : ByCertificate(),
        });

        Assert.Equal(ConnectFault.CredentialsUnprotected, refused.Fault);
        Assert.Equal(0, server.Services.Count<CreateSessionRequest>());
    }

    [Fact]
    public async Task Activate_OtherUserOnAnOpenSession_PasswordIsNotSent()
    {
        var server = await StartAsync((SecurityPolicies.None, MessageSecurityMode.None, Weaker.Uri));
        using var client = Client();
        await using var session = await client.ConnectAsync(new ConnectSettings
        {
            EndpointUrl = server.Url,
            SecurityPolicyUri = SecurityPolicies.None.Uri,
        });

        var refused = await Assert.ThrowsAsync<ServiceException>(
            async () => await session.ActivateAsync(ClientIdentity.UserName("joe", Password)));

        Assert.Equal(ConnectFault.CredentialsUnprotected, refused.Fault);
        Assert.Single(server.Services.Activations);
    }

    [Fact]
    public async Task Connect_InsecureCredentialsAllowed_SentAsConfigured()
    {
        var server = await StartAsync((SecurityPolicies.None, MessageSecurityMode.None, SecurityPolicies.None.Uri));
        using var client = Client();

        await using var session = await client.ConnectAsync(new ConnectSettings
        {
            EndpointUrl = server.Url,
            SecurityPolicyUri = SecurityPolicies.None.Uri,
            Identity = ClientIdentity.UserName("joe", Password),
            AllowInsecureCredentials = true,
        });

        var token = (UserNameIdentityToken)Assert.Single(server.Services.Activations).UserIdentityToken.Body!;
        Assert.Equal(Password, Encoding.UTF8.GetString(token.Password!));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Connect_OnlySign_TakenOnlyWhereConfigured(bool isConfigured)
    {
        var server = await StartAsync((Strong, MessageSecurityMode.Sign, ""));
        Trust(server);
        var settings = new ConnectSettings { EndpointUrl = server.Url };
        if (!isConfigured)
        {
            Assert.Equal(ConnectFault.NoFittingEndpoint, (await RefusedAsync(server, settings)).Fault);
            return;
        }

        using var client = Client();
        await using var session = await client.ConnectAsync(
            settings with { SecurityMode = MessageSecurityMode.Sign });
        Assert.Equal(MessageSecurityMode.Sign, session.Endpoint.SecurityMode);
    }

    [Fact]
    public async Task Connect_CertificateNotTrusted_PasswordIsNotSent()
    {
        var server = await StartAsync((Strong, MessageSecurityMode.SignAndEncrypt, ""));

        var refused = await RefusedAsync(server, new ConnectSettings
        {
            EndpointUrl = server.Url,
            Identity = ClientIdentity.UserName("joe", Password),
        });

        Assert.Equal(ConnectFault.ServerCertificate, refused.Fault);
        Assert.Equal(0, server.Services.Count<CreateSessionRequest>());
    }

    [Fact]
    public async Task Connect_DiscoveryHidTheStrongerEndpoint_Refused() =>
        await AssertMismatchAsync(new ImpostorScript
        {
            Discovered = [(Weaker, MessageSecurityMode.SignAndEncrypt, "")],
            Confirmed =
            [
                (Weaker, MessageSecurityMode.SignAndEncrypt, ""), (Strong, MessageSecurityMode.SignAndEncrypt, ""),
            ],
        });

    [Fact]
    public async Task Connect_DiscoveryChangedTheTokens_Refused() =>
        await AssertMismatchAsync(new ImpostorScript
        {
            Discovered = [(Strong, MessageSecurityMode.SignAndEncrypt, SecurityPolicies.None.Uri)],
            Confirmed = [(Strong, MessageSecurityMode.SignAndEncrypt, "")],
        });

    [Fact]
    public async Task Connect_SessionConfirmsNothing_Refused() =>
        await AssertMismatchAsync(new ImpostorScript
        {
            Discovered = [(Strong, MessageSecurityMode.SignAndEncrypt, "")],
            Confirmed = [],
        });

    [Fact]
    public async Task Connect_SessionNamesAnotherApplication_Refused() =>
        await AssertMismatchAsync(new ImpostorScript
        {
            Discovered = [(Strong, MessageSecurityMode.SignAndEncrypt, "")],
            ConfirmedUri = "urn:another:server",
        });

    /// <summary>Its certificate is trusted, and it is another server.</summary>
    [Fact]
    public async Task Connect_AnotherServerUri_PasswordIsNotSent()
    {
        var server = await StartAsync((Strong, MessageSecurityMode.SignAndEncrypt, ""));
        Trust(server);

        var refused = await RefusedAsync(server, new ConnectSettings
        {
            EndpointUrl = server.Url,
            ServerUri = "urn:press",
            Identity = ClientIdentity.UserName("joe", Password),
        });

        Assert.Equal(ConnectFault.OtherServer, refused.Fault);
    }

    /// <summary>The discovery says the name that is asked for, and the certificate has another.</summary>
    [Fact]
    public async Task Connect_DiscoveryLiesAboutTheServerUri_Refused()
    {
        var server = await StartAsync(new ImpostorScript
        {
            ApplicationUri = "urn:hostile:server",
            DiscoveredUri = "urn:press",
            Discovered = [(Strong, MessageSecurityMode.SignAndEncrypt, "")],
        });
        Trust(server);

        var refused = await RefusedAsync(
            server, new ConnectSettings { EndpointUrl = server.Url, ServerUri = "urn:press" });

        Assert.Equal(ConnectFault.ServerCertificate, refused.Fault);
    }

    [Fact]
    public async Task Connect_Trusted_PasswordIsEncryptedForTheChannelsCertificate()
    {
        var server = await StartAsync((Strong, MessageSecurityMode.SignAndEncrypt, Weaker.Uri));
        Trust(server);
        using var client = Client();

        await using var session = await client.ConnectAsync(new ConnectSettings
        {
            EndpointUrl = server.Url,
            Identity = ClientIdentity.UserName("joe", Password),
        });

        var token = (UserNameIdentityToken)Assert.Single(server.Services.Activations).UserIdentityToken.Body!;
        var secret = server.Certificate.PrivateKey.Decrypt(token.Password!, RSAEncryptionPadding.OaepSHA1);
        Assert.Equal(Password, Encoding.UTF8.GetString(secret, 4, Password.Length));
        Assert.Equal(server.Certificate.Der, session.Endpoint.ServerCertificate);
    }

    private async Task AssertMismatchAsync(ImpostorScript script)
    {
        var server = await StartAsync(script);
        Trust(server);

        var refused = await RefusedAsync(server, new ConnectSettings
        {
            EndpointUrl = server.Url,
            Identity = ClientIdentity.UserName("joe", Password),
        });

        Assert.Equal(ConnectFault.EndpointMismatch, refused.Fault);
    }

    private async Task<ServiceException> RefusedAsync(HostileServer server, ConnectSettings settings)
    {
        using var client = Client();
        var refused = await Assert.ThrowsAsync<ServiceException>(async () => await client.ConnectAsync(settings));
        Assert.Empty(server.Services.Activations);
        return refused;
    }

    private Task<HostileServer> StartAsync(
        params (SecurityPolicy Policy, MessageSecurityMode Mode, string TokenPolicy)[] offers) =>
        StartAsync(new ImpostorScript { Discovered = offers });

    private async Task<HostileServer> StartAsync(HostileScript script)
    {
        var server = await HostileServer.StartAsync(script);
        _servers.Add(server);
        return server;
    }

    private void Trust(HostileServer server) => File.WriteAllBytes(
        Path.Combine(Directory.CreateDirectory(Path.Combine(_folder, "trusted", "certs")).FullName, "server.der"),
        server.Certificate.Der);

    private UaClient Client() => new(new ClientOptions
    {
        Certificate = _certificate,
        CertificateValidator = new CertificateValidator(
            _pki, new CertificateValidatorOptions { PeerRole = CertificatePeerRole.Server }),
    });

    private static ClientIdentity ByCertificate()
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=joe", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        return ClientIdentity.Certificate(
            request.CreateSelfSigned(DateTimeOffset.UnixEpoch, DateTimeOffset.UnixEpoch.AddYears(100)));
    }
}
