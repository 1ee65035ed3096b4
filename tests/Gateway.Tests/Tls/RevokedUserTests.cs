using System.Net.WebSockets;
using System.Security.Cryptography.X509Certificates;
using Gateway.Server;
using Gateway.Testing;
using Gateway.Tests.Rest;
using Gateway.Tests.Services;
using Gateway.Tests.Sockets;
using Gateway.Transport.Certificates;

namespace Gateway.Tests.Tls;

/// <summary>A certificate user whom the operator takes away keeps nothing that is open (R31).</summary>
public sealed class RevokedUserTests : IDisposable
{
    private const int PolicyViolation = 1008;

    private readonly PemFiles _files = new();
    private readonly X509Certificate2 _anna = PemFiles.Make("CN=anna");
    private readonly string _pki = Directory.CreateTempSubdirectory("pki-").FullName;
    private readonly string _trusted;

    public RevokedUserTests()
    {
        _trusted = Path.Combine(
            Directory.CreateDirectory(Path.Combine(_pki, "trustedUser", "certs")).FullName, "anna.der");
        File.WriteAllBytes(_trusted, _anna.RawData);
    }

    public void Dispose()
    {
        _files.Dispose();
        _anna.Dispose();
        Directory.Delete(_pki, recursive: true);
    }

    [Fact]
    public async Task LiveSocket_CertificateTakenAway_Closed()
    {
        await using var gateway = await StartAsync();
        using var live = await LiveClient.OpenAsync(gateway, "wss", Identify);
        await live.AskAsync("""{"op":"subscribe","nodes":["ns=2;s=ReadOnly"]}""");

        TakeAway(gateway);

        Assert.Equal(PolicyViolation, await live.ClosedAsync());
        Assert.Equal("the certificate of the user is no longer trusted", live.Socket.CloseStatusDescription);
    }

    [Fact]
    public async Task ServiceSocket_CertificateTakenAway_Closed()
    {
        await using var gateway = await StartAsync();
        using var socket = new ClientWebSocket();
        Identify(socket.Options);
        socket.Options.AddSubProtocol("opcua+uajson");
        var url = new UriBuilder(gateway.Host.Client.BaseAddress!) { Scheme = "wss", Path = "/opcua" }.Uri;
        await socket.ConnectAsync(url, CancellationToken.None).WaitAsync(Patience.Limit);

        TakeAway(gateway);

        await socket.ReceiveAsync(new byte[1024], CancellationToken.None).WaitAsync(Patience.Limit);
        Assert.Equal(PolicyViolation, (int)socket.CloseStatus!);
    }

    [Fact]
    public async Task Stream_CertificateTakenAway_LastEventSaysSo()
    {
        await using var gateway = await StartAsync();
        using var client = ClientOf(gateway);
        using var stream = await EventReader.OpenAsync(client, "interval=50", ["ns=2;s=ReadOnly"]);
        await stream.NextAsync();

        TakeAway(gateway);

        var lines = new List<string>();
        while (await stream.LineAsync() is { } line)
            lines.Add(line);
        Assert.Contains(lines, static line => line.Contains("no longer trusted", StringComparison.Ordinal));
    }

    /// <summary>Its held Publish is answered at once.</summary>
    [Fact]
    public async Task SessionOverHttp_CertificateTakenAway_Ends()
    {
        await using var gateway = await StartAsync();
        using var client = ClientOf(gateway);
        await ServiceSession.OpenAsync(client);
        var server = gateway.Host.Get<GatewayServer>();
        Assert.Equal(1, server.SessionCount);

        TakeAway(gateway);

        Assert.Equal(0, server.SessionCount);
    }

    private void TakeAway(RestGateway gateway)
    {
        File.Delete(_trusted);
        gateway.Host.Get<PkiStore>().LookNow();
    }

    private Task<RestGateway> StartAsync() => RestGateway.StartAsync(
        [.. _files.Options, $"--Pki:Path={_pki}", "--Pki:TrustedUserRoles=Observer"]);

    private void Identify(ClientWebSocketOptions options)
    {
        options.RemoteCertificateValidationCallback = static (_, certificate, _, _) => certificate is not null;
        options.ClientCertificates = [_anna];
    }

    private HttpClient ClientOf(RestGateway gateway)
    {
        var handler = new SocketsHttpHandler();
        handler.SslOptions.RemoteCertificateValidationCallback = static (_, certificate, _, _) =>
            certificate is not null;
        handler.SslOptions.ClientCertificates = [_anna];
        return new HttpClient(handler) { BaseAddress = gateway.Host.Client.BaseAddress };
    }
}
