using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Tests.Clock;
using Gateway.Tests.Rest;
using Gateway.Tests.Trust;
using Gateway.Transport.Certificates;
using Gateway.Transport.Certificates.Inventory;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;

namespace Gateway.Tests.Management;

/// <summary>The gateway's own certificate is replaced while clients are connected.</summary>
public sealed class OwnCertificateTests : IAsyncLifetime, IDisposable
{
    private static readonly ClientIdentity User = ClientIdentity.UserName("operator", "horse");

    private readonly MovedTime _time = new();
    private readonly TrustingClient _client;
    private RestGateway _gateway = null!;

    public OwnCertificateTests() => _client = new TrustingClient(_time);

    private string Url => $"opc.tcp://127.0.0.1:{_gateway.Host.Get<UaTcpOptions>().EndPoint.Port}";

    private string Folder => Path.Combine(_gateway.Host.Get<PkiStore>().Root, "own");

    private static DateTimeOffset Now => TimeProvider.System.GetUtcNow();

    public async Task InitializeAsync() => _gateway = await RestGateway.StartAsync();

    public async Task DisposeAsync() => await _gateway.DisposeAsync();

    public void Dispose() => _client.Dispose();

    [Fact]
    public async Task MakeNew_UnderASession_SessionStaysAndNewConnectionsGetTheNewOne()
    {
        var before = await EndpointAsync();
        await using var session = await ConnectAsync(before);

        var made = await MakeNewAsync();
        var after = await EndpointAsync();

        Assert.Equal(made, ThumbprintOf(after));
        Assert.NotEqual(made, ThumbprintOf(before));
        // The channel is renewed with the certificate that it has, and another user logs in by it.
        var renewals = _gateway.Host.Get<TransportContext>().Counters;
        for (var i = 0; i < 2; i++)
        {
            var seen = renewals.Renewals;
            _time.Leap(TimeSpan.FromMinutes(50));
            await Condition.UntilAsync(() => renewals.Renewals > seen);
            // The client has the new token, too: the answer comes behind it. Else the next leap ends its renewal.
            Assert.Equal(StatusCode.Good, await ReadAsync(session));
        }

        await session.ActivateAsync(ClientIdentity.UserName("engineer", "horse"));
        Assert.Equal(StatusCode.Good, await ReadAsync(session));
        // A connection for the old one is none, and one for the new one is.
        var refused = await Assert.ThrowsAsync<ServiceException>(() => ConnectAsync(before));
        Assert.Equal(StatusCodes.BadSecurityChecksFailed, refused.Status.Code);
        await using var next = await ConnectAsync(after);
        Assert.Equal(StatusCode.Good, await ReadAsync(next));
        Assert.Equal(StatusCode.Good, await ReadAsync(session));
    }

    /// <summary>A password over a channel without security is encrypted for the certificate that the session has
    /// shown.</summary>
    [Fact]
    public async Task MakeNew_UnderASessionWithoutSecurity_ItsNextLoginIsReadable()
    {
        await using var gateway = await RestGateway.StartAsync("--OpcUa:SecurityPolicies:0=None");
        await using var session = await _client.Ua.ConnectAsync(new ConnectSettings
        {
            EndpointUrl = $"opc.tcp://127.0.0.1:{gateway.Host.Get<UaTcpOptions>().EndPoint.Port}",
            SecurityPolicyUri = SecurityPolicies.None.Uri,
            Identity = User,
            AllowInsecureCredentials = true,
        });
        (await gateway.SecurityAdmin.PostAsync("/api/v1/own-certificate/new", null)).Dispose();

        await session.ActivateAsync(ClientIdentity.UserName("engineer", "horse"));

        Assert.Equal(StatusCode.Good, await ReadAsync(session));
    }

    [Fact]
    public async Task MakeNew_Twice_TheFilesBeforeAreOutOfTheWay()
    {
        await MakeNewAsync();
        await MakeNewAsync();

        Assert.Single(Directory.GetFiles(Path.Combine(Folder, "certs")));
        Assert.Single(Directory.GetFiles(Path.Combine(Folder, "private")));
        Assert.Equal(4, Directory.GetFiles(Path.Combine(Folder, "replaced")).Length);
    }

    /// <summary>As an operator or a cluster does it, key and certificate one after the other.</summary>
    [Fact]
    public async Task Files_Replaced_TakenOverByThemselves()
    {
        var own = _gateway.Host.Get<OwnCertificate>();
        using var key = RSA.Create(2048);
        using var certificate = SelfSigned.Make(key, own.ApplicationUri, Now.AddDays(-1));
        await using var session = await ConnectAsync(await EndpointAsync());

        Put(key, certificate);

        await Condition.UntilAsync(() => own.Current.Thumbprint == certificate.Thumbprint);
        Assert.Equal(certificate.Thumbprint, ThumbprintOf(await EndpointAsync()));
        Assert.Equal(StatusCode.Good, await ReadAsync(session));
        Assert.Equal(1, _gateway.Host.Get<OwnCertificateReload>().Replaced);
    }

    [Theory]
    [InlineData("urn:another:application", -1)]
    [InlineData("", 1)]
    public async Task Files_OfNoUse_TheOldOneStaysAndItIsCounted(string uri, int fromDays)
    {
        var own = _gateway.Host.Get<OwnCertificate>();
        var before = own.Current.Thumbprint;
        using var key = RSA.Create(2048);
        using var certificate = SelfSigned.Make(key, uri.Length == 0 ? own.ApplicationUri : uri, Now.AddDays(fromDays));
        foreach (var file in Directory.GetFiles(Path.Combine(Folder, "certs")))
            File.Delete(file);

        Put(key, certificate);

        await Condition.UntilAsync(() => _gateway.Host.Get<OwnCertificateReload>().Refused > 0);
        Assert.Equal(before, own.Current.Thumbprint);
    }

    [Fact]
    public async Task Answer_NotYetValid_RefusedAndNothingChanges()
    {
        var current = _gateway.Host.Get<OwnCertificate>().Current;
        using var certificate = SelfSigned.Make(current.PrivateKey, current.ApplicationUri, Now.AddDays(1));

        var (status, answer) = await RestGateway.SendAsync(
            _gateway.SecurityAdmin, HttpMethod.Put, "/api/v1/own-certificate",
            JsonSerializer.Serialize(new { certificate = certificate.ExportCertificatePem() }));

        Assert.Equal(400, status);
        Assert.Contains("has not begun", answer.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Single(Directory.GetFiles(Path.Combine(Folder, "certs")));
        Assert.Same(current, _gateway.Host.Get<OwnCertificate>().Current);
    }

    /// <summary>Two certificates would lie there, and the next start would choose one.</summary>
    [Fact]
    public async Task MakeNew_OldFilesCannotBeMoved_NothingChanges()
    {
        // A file where the folder of the old ones would be.
        await File.WriteAllTextAsync(Path.Combine(Folder, "replaced"), "");
        var (certificates, keys) = (FilesOf("certs"), FilesOf("private"));

        using var answer = await _gateway.SecurityAdmin.PostAsync("/api/v1/own-certificate/new", null);

        Assert.Equal(500, (int)answer.StatusCode);
        Assert.Equal(certificates, FilesOf("certs"));
        Assert.Equal(keys, FilesOf("private"));

        string[] FilesOf(string folder) => Directory.GetFiles(Path.Combine(Folder, folder));
    }

    private void Put(RSA key, X509Certificate2 certificate)
    {
        File.WriteAllText(Path.Combine(Folder, "private", "plant.pem"), key.ExportPkcs8PrivateKeyPem());
        File.WriteAllBytes(Path.Combine(Folder, "certs", "plant.der"), certificate.RawData);
    }

    private async Task<string> MakeNewAsync()
    {
        using var answer = await _gateway.SecurityAdmin.PostAsync("/api/v1/own-certificate/new", null);
        Assert.Equal(200, (int)answer.StatusCode);
        return (await RestGateway.JsonOf(answer)).GetProperty("thumbprint").GetString()!;
    }

    private async Task<EndpointDescription> EndpointAsync() => (await _client.Ua.GetEndpointsAsync(Url)).First(one =>
        one.SecurityPolicyUri == SecurityPolicies.Basic256Sha256.Uri &&
        one.SecurityMode == MessageSecurityMode.SignAndEncrypt);

    private Task<ClientSession> ConnectAsync(EndpointDescription endpoint) => _client.Ua.ConnectAsync(
        endpoint, new ConnectSettings { EndpointUrl = Url, Identity = User }).AsTask();

    private static string ThumbprintOf(EndpointDescription endpoint)
    {
        using var certificate = X509CertificateLoader.LoadCertificate(endpoint.ServerCertificate!);
        return certificate.Thumbprint;
    }

    private static async Task<StatusCode> ReadAsync(ClientSession session)
    {
        var response = await session.InvokeAsync<ReadRequest, ReadResponse>(new ReadRequest
        {
            NodesToRead = [new ReadValueId { NodeId = new NodeId("Int16", 2), AttributeId = (uint)AttributeId.Value }],
        });
        return response.Results![0].Status;
    }
}
