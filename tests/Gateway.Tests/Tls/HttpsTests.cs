using System.Net;
using System.Net.WebSockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using Gateway.Host.Http;
using Gateway.Host.Tls;
using Gateway.Testing;
using Gateway.Tests.Rest;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

namespace Gateway.Tests.Tls;

/// <summary>HTTPS at the HTTP listener, its certificate's files, and users with certificates.</summary>
public sealed class HttpsTests : IDisposable
{
    private const string Transports = "http://opcfoundation.org/UA-Profile/Transport/";
    private const string OpenApi = Transports + "https-uajson-openapi";
    private const string Read = """{"NodesToRead":[{"NodeId":"i=2258","AttributeId":13}]}""";
    private const string Value = "/api/v1/values?node=ns%3D2%3Bs%3DInt16";

    private readonly PemFiles _files = new();
    private readonly List<IDisposable> _all = [];

    public void Dispose()
    {
        _all.ForEach(static one => one.Dispose());
        _files.Dispose();
    }

    [Theory]
    [InlineData("1.1")]
    [InlineData("2.0")]
    public async Task Https_BothVersions_Served(string version)
    {
        await using var gateway = await RestGateway.StartAsync(_files.Options);
        var client = ClientOf(gateway, out _);
        client.DefaultRequestHeaders.Authorization = gateway.Observer.DefaultRequestHeaders.Authorization;
        using var request = new HttpRequestMessage(HttpMethod.Get, Value)
        {
            Version = Version.Parse(version),
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };

        using var answer = await client.SendAsync(request);

        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        Assert.Equal(version, answer.Version.ToString(2));
    }

    [Fact]
    public async Task Document_OverHttps_DescribesClientCertificates()
    {
        await using var gateway = await RestGateway.StartAsync(_files.Options);
        var client = ClientOf(gateway, out _);
        client.DefaultRequestHeaders.Authorization = gateway.Observer.DefaultRequestHeaders.Authorization;

        var (_, document) = await RestGateway.GetAsync(client, "/api/v1/openapi.json");

        Assert.Equal(
            "mutualTLS", document.GetProperty("components").GetProperty("securitySchemes").GetProperty("mutualTls")
                .GetProperty("type").GetString());
    }

    [Fact]
    public async Task Http2_ManyRequestsAtOnceOnOneConnection_AllServed()
    {
        await using var gateway = await RestGateway.StartAsync(_files.Options);
        var client = ClientOf(gateway, out var seen);
        client.DefaultRequestVersion = HttpVersion.Version20;
        client.DefaultRequestHeaders.Authorization = gateway.Observer.DefaultRequestHeaders.Authorization;

        var answers = await Task.WhenAll(Enumerable.Range(0, 50).Select(_ => client.GetAsync(Value)));

        Assert.All(answers, answer => Assert.Equal(HttpStatusCode.OK, answer.StatusCode));
        Assert.Single(seen);
        _all.AddRange(answers);
    }

    /// <summary>Connections that are open go on with the certificate that they have.</summary>
    [Fact]
    public async Task Files_Renewed_NewConnectionsHaveTheNewOne_OpenOnesGoOn()
    {
        await using var gateway = await RestGateway.StartAsync(_files.Options);
        var before = _files.Thumbprint;
        var old = ClientOf(gateway, out var seenBefore);
        old.DefaultRequestHeaders.Authorization = gateway.Observer.DefaultRequestHeaders.Authorization;
        using var stream = await EventReader.OpenAsync(old, "interval=50", ["ns=2;s=Int32"]);
        await stream.NextAsync();

        _files.Renew();
        var counters = gateway.Host.Get<TlsCounters>();
        await UntilAsync(() => counters.Loads == 1);
        var fresh = ClientOf(gateway, out var seenAfter);
        (await fresh.GetAsync("/livez")).Dispose();
        gateway.Set("Int32", new Codec.Types.Variant(4711));

        Assert.Equal(4711, await stream.NumberAsync());
        Assert.Equal([before], seenBefore);
        Assert.Equal([_files.Thumbprint], seenAfter);
    }

    [Fact]
    public async Task Files_Broken_OldCertificateStaysAndItIsCountedOnce()
    {
        await using var gateway = await RestGateway.StartAsync(_files.Options);
        var before = _files.Thumbprint;
        var door = gateway.Host.Get<TlsDoor>();
        var counters = gateway.Host.Get<TlsCounters>();

        await File.WriteAllTextAsync(_files.CertificatePath, "-----BEGIN CERTIFICATE-----\nhalf");
        await UntilAsync(() => counters.Failures == 1);
        var client = ClientOf(gateway, out var seen);
        (await client.GetAsync("/livez")).Dispose();

        Assert.Equal([before], seen);
        Assert.Equal(before, door.Current.Certificate.Thumbprint);
        // The certificate of another key, until the key follows.
        using var other = PemFiles.Make("CN=other");
        await File.WriteAllTextAsync(_files.CertificatePath, other.ExportCertificatePem());
        await UntilAsync(() => counters.Failures == 2);
        Assert.Equal(before, door.Current.Certificate.Thumbprint);
        await File.WriteAllTextAsync(
            _files.KeyPath, other.GetRSAPrivateKey()!.ExportPkcs8PrivateKeyPem());
        await UntilAsync(() => counters.Loads == 1);
        Assert.Equal(other.Thumbprint, door.Current.Certificate.Thumbprint);
    }

    /// <summary>The store of users, as for X509 users over UA-TCP: the trust list of now decides on each request.
    /// </summary>
    [Fact]
    public async Task ClientCertificate_TrustedUser_AsLongAsItIsTrusted()
    {
        using var anna = PemFiles.Make("CN=anna");
        var pki = Directory.CreateTempSubdirectory("pki-").FullName;
        var trusted = Path.Combine(pki, "trustedUser", "certs", "anna.der");
        await using (var gateway = await RestGateway.StartAsync(
            [.. _files.Options, $"--Pki:Path={pki}", "--Pki:TrustedUserRoles=Observer"]))
        {
            var client = ClientOf(gateway, out var seen, anna);
            Assert.Equal(HttpStatusCode.Unauthorized, await StatusAsync(client));

            await File.WriteAllBytesAsync(trusted, anna.RawData);
            await UntilAsync(async () => await StatusAsync(client) is HttpStatusCode.OK);
            File.Delete(trusted);
            await UntilAsync(async () => await StatusAsync(client) is HttpStatusCode.Unauthorized);

            // A login in the header comes first, and no certificate is needed.
            client.DefaultRequestHeaders.Authorization = gateway.Operator.DefaultRequestHeaders.Authorization;
            Assert.Equal(HttpStatusCode.OK, await StatusAsync(client));
            Assert.NotEmpty(seen);
        }

        Directory.Delete(pki, recursive: true);
    }

    [Theory]
    [InlineData("10.1.2.3", false, false)]
    [InlineData("::ffff:10.1.2.3", false, false)]
    [InlineData("10.1.2.3", true, true)]
    [InlineData("127.0.0.1", false, true)]
    [InlineData("::ffff:127.0.0.7", false, true)]
    [InlineData("::1", false, true)]
    public async Task PlainHttp_Secret_OnlyOfThisMachineUnlessAllowed(string address, bool isAllowed, bool isTaken)
    {
        await using var gateway = await RestGateway.StartAsync(
            isAllowed ? ["--Http:AllowInsecureLogin=true"] : []);

        var (isLetIn, context) = await LogInAsync(gateway, address, "http", right: true);
        Assert.Equal(isTaken, isLetIn);
        Assert.Equal(isTaken ? 0 : 403, isTaken ? 0 : context.Response.StatusCode);

        // The password is not even looked at.
        if (!isTaken)
            Assert.Contains("Http:Tls:CertificatePath", BodyOf(context), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Https_SecretOfAnotherMachine_Taken()
    {
        await using var gateway = await RestGateway.StartAsync();

        var (right, _) = await LogInAsync(gateway, "10.1.2.3", "https", right: true);
        var (wrong, context) = await LogInAsync(gateway, "10.1.2.3", "https", right: false);

        Assert.True(right);
        Assert.False(wrong);
        Assert.Equal(401, context.Response.StatusCode);
    }

    /// <summary>By the URL that the client says, or by the host of its request.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Https_ClientOfHttps_EndpointsOfTheHostThatItUsed(bool saysUrl)
    {
        await using var gateway = await RestGateway.StartAsync(_files.Options);
        var client = ClientOf(gateway, out _);
        client.DefaultRequestHeaders.Host = null;
        client.DefaultRequestHeaders.Authorization = gateway.Observer.DefaultRequestHeaders.Authorization;
        var url = new Uri(gateway.Host.Client.BaseAddress!, "/opcua").ToString();

        var (_, answer) = await RestGateway.SendAsync(
            client, HttpMethod.Post, "/opcua/getendpoints", saysUrl ? $$"""{"EndpointUrl":"{{url}}"}""" : "{}");

        var urls = answer.GetProperty("Endpoints").EnumerateArray()
            .Select(static one => new Uri(one.GetProperty("EndpointUrl").GetString()!)).ToList();
        Assert.All(urls, static one => Assert.Equal("127.0.0.1", one.Host));
        Assert.Contains(new Uri(url), urls);
    }

    /// <summary>What one host sends does not keep the certificates of others out of the operator's list.</summary>
    [Fact]
    public async Task ClientCertificate_Refused_ListedWithItsAddress()
    {
        using var anna = PemFiles.Make("CN=anna");
        await using var gateway = await RestGateway.StartAsync(_files.Options);
        Assert.Equal(HttpStatusCode.Unauthorized, await StatusAsync(ClientOf(gateway, out _, anna)));
        var admin = ClientOf(gateway, out _);
        admin.DefaultRequestHeaders.Authorization = gateway.SecurityAdmin.DefaultRequestHeaders.Authorization;

        JsonElement listed = default;
        await UntilAsync(async () =>
        {
            var (_, all) = await RestGateway.GetAsync(admin, "/api/v1/certificates?store=rejected");
            listed = all.GetProperty("certificates").EnumerateArray().SingleOrDefault();
            return listed.ValueKind == JsonValueKind.Object;
        });

        Assert.Equal("127.0.0.1", listed.GetProperty("address").GetString());
    }

    [Fact]
    public async Task Https_Endpoint_AdvertisedAndThere()
    {
        await using var gateway = await RestGateway.StartAsync(_files.Options);
        var client = ClientOf(gateway, out _);
        client.DefaultRequestHeaders.Authorization = gateway.Observer.DefaultRequestHeaders.Authorization;
        var asked = $$"""{"EndpointUrl":"opc.tcp://127.0.0.1:4840","ProfileUris":["{{OpenApi}}"]}""";

        var (_, answer) = await RestGateway.SendAsync(client, HttpMethod.Post, "/opcua/getendpoints", asked);

        var endpoint = Assert.Single(answer.GetProperty("Endpoints").EnumerateArray());
        var url = endpoint.GetProperty("EndpointUrl").GetString();
        Assert.Equal(new Uri(gateway.Host.Client.BaseAddress!, "/opcua").ToString(), url);
        var (status, read) = await RestGateway.SendAsync(
            client, HttpMethod.Post, url + "/read", Read);
        Assert.Equal(200, status);
        Assert.True(read.TryGetProperty("Results", out _));
    }

    /// <summary>The services as JSON over WebSockets: each at its URL, by the sub-protocol of its profile. Source:
    /// Part 6 §7.5.2.</summary>
    [Theory]
    [InlineData("wss-uajson-openapi", "opcua+openapi", """{"ServiceId":"i=629","Body":{0}}""")]
    [InlineData("wss-uajson", "opcua+uajson", """{"TypeId":{"Id":629},"Body":{0}}""")]
    public async Task Https_EndpointOfAWebSocket_AdvertisedAndThere(string profile, string protocol, string envelope)
    {
        await using var gateway = await RestGateway.StartAsync(_files.Options);
        var client = ClientOf(gateway, out _);
        client.DefaultRequestHeaders.Authorization = gateway.Observer.DefaultRequestHeaders.Authorization;
        var asked = $$"""{"ProfileUris":["{{Transports}}{{profile}}"]}""";
        client.DefaultRequestHeaders.Host = null;

        var (_, answer) = await RestGateway.SendAsync(client, HttpMethod.Post, "/opcua/getendpoints", asked);

        var url = Assert.Single(answer.GetProperty("Endpoints").EnumerateArray()).GetProperty("EndpointUrl")
            .GetString()!;
        Assert.StartsWith("opc.wss://127.0.0.1:", url, StringComparison.Ordinal);
        using var socket = new ClientWebSocket();
        socket.Options.AddSubProtocol(protocol);
        socket.Options.RemoteCertificateValidationCallback = static (_, certificate, _, _) => certificate is not null;
        socket.Options.SetRequestHeader(
            "Authorization", gateway.Observer.DefaultRequestHeaders.Authorization!.ToString());
        await socket.ConnectAsync(new Uri(url["opc.".Length..]), CancellationToken.None).WaitAsync(Patience.Limit);
        await socket.SendAsync(
            Encoding.UTF8.GetBytes(envelope.Replace("{0}", Read, StringComparison.Ordinal)),
            WebSocketMessageType.Text, true, CancellationToken.None);
        var text = new byte[4096];
        var read = await socket.ReceiveAsync(text, CancellationToken.None).WaitAsync(Patience.Limit);
        Assert.Contains("\"Results\":[{", Encoding.UTF8.GetString(text, 0, read.Count), StringComparison.Ordinal);
    }

    private static async Task<(bool IsLetIn, HttpContext Context)> LogInAsync(
        RestGateway gateway, string address, string scheme, bool right)
    {
        var context = new DefaultHttpContext { RequestServices = gateway.Host.Services };
        context.Connection.RemoteIpAddress = IPAddress.Parse(address);
        context.Request.Scheme = scheme;
        var login = gateway.Observer.DefaultRequestHeaders.Authorization!.ToString();
        context.Request.Headers.Authorization = right ? login : "Basic eDp5";
        context.Response.Body = new MemoryStream();
        var check = gateway.Host.Services.GetRequiredService<UserCheck>();
        var isLetIn = await check.CheckAsync(context);
        if (!isLetIn)
            await check.RefuseAsync(context);
        return (isLetIn, context);
    }

    private static string BodyOf(HttpContext context)
    {
        context.Response.Body.Position = 0;
        return new StreamReader(context.Response.Body).ReadToEnd();
    }

    /// <param name="gateway">With HTTPS.</param>
    /// <param name="seen">Thumbprints of the gateway's certificate, one a handshake.</param>
    /// <param name="own">Of the client.</param>
    private HttpClient ClientOf(RestGateway gateway, out List<string> seen, X509Certificate2? own = null)
    {
        var thumbprints = new List<string>();
        var handler = new SocketsHttpHandler();
        handler.SslOptions.RemoteCertificateValidationCallback = (_, certificate, _, _) =>
        {
            lock (thumbprints)
                thumbprints.Add(((X509Certificate2)certificate!).Thumbprint);
            return certificate is not null;
        };
        if (own is not null)
            handler.SslOptions.ClientCertificates = [own];
        var client = new HttpClient(handler) { BaseAddress = gateway.Host.Client.BaseAddress };
        // Not the demo's user, who needs no login.
        client.DefaultRequestHeaders.Host = "gateway.example";
        _all.Add(client);
        seen = thumbprints;
        return client;
    }

    private static async Task<HttpStatusCode> StatusAsync(HttpClient client)
    {
        using var answer = await client.GetAsync(Value);
        return answer.StatusCode;
    }

    private static Task UntilAsync(Func<bool> holds) => UntilAsync(() => Task.FromResult(holds()));

    private static async Task UntilAsync(Func<Task<bool>> holds)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(100));
        while (!await holds())
            await look.WaitForNextTickAsync(patience.Token);
    }
}
