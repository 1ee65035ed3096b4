using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Gateway.Host;
using Gateway.Host.Configuration;
using Gateway.Host.Hosting;
using Gateway.Host.Logging;
using Gateway.Transport.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Tests.Hosting;

public sealed class GatewayApplicationTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("gateway-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Run_StartedAndStopped_ReadyInBetweenOnly()
    {
        var settings = Settings();
        var builder = GatewayApplication.CreateBuilder(
            CommandLine.ReadConfiguration([]), settings, new LogThrottle(new LogLimits(), TimeProvider.System));
        await using var parts = new GatewayParts(settings, TimeProvider.System, NullLoggerFactory.Instance);
        await using var application = GatewayApplication.Build(builder, settings, parts, TimeProvider.System);
        var readiness = application.Services.GetRequiredService<Readiness>();
        var before = readiness.IsReady;
        await application.StartAsync();
        using var http = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{settings.HttpEndPoint.Port}") };
        var live = await http.GetAsync("/livez");
        var ready = await http.GetAsync("/readyz");
        readiness.Set(false);
        var notReady = await http.GetAsync("/readyz");
        using var socket = new TcpClient();
        await socket.ConnectAsync(settings.OpcUaEndPoint);

        await application.StopAsync();

        Assert.False(before);
        Assert.Equal(HttpStatusCode.OK, live.StatusCode);
        Assert.Equal(HttpStatusCode.OK, ready.StatusCode);
        Assert.Equal(HttpStatusCode.ServiceUnavailable, notReady.StatusCode);
        Assert.True(parts.Server.IsShuttingDown);
        // ERR or the end of the stream: the connection was not left hanging.
        var read = await socket.GetStream().ReadAsync(new byte[1024]);
        Assert.InRange(read, 0, 1024);
    }

    [Fact]
    public async Task Parts_SimulatorOn_NamespacesInTheContractsOrder()
    {
        await using var parts = new GatewayParts(Settings(), TimeProvider.System, NullLoggerFactory.Instance);

        Assert.Equal(parts.Certificate.ApplicationUri, parts.Nodes.Namespaces.GetUri(1));
        Assert.Equal("urn:gateway:simulator", parts.Nodes.Namespaces.GetUri(2));
    }

    [Fact]
    public async Task Parts_SimulatorOff_ItsNamespaceIsNotThere()
    {
        await using var parts = new GatewayParts(
            Settings("--Simulator:Enabled=false"), TimeProvider.System, NullLoggerFactory.Instance);

        Assert.False(parts.Nodes.Namespaces.TryGetIndex("urn:gateway:simulator", out _));
    }

    /// <summary>Its clients know it by that: another port is another default, and no other identity.</summary>
    [Fact]
    public async Task Parts_PkiOfAnEarlierStart_KeepsItsApplicationUri()
    {
        string first;
        await using (var parts = new GatewayParts(Settings(), TimeProvider.System, NullLoggerFactory.Instance))
            first = parts.Certificate.ApplicationUri;

        await using var again = new GatewayParts(Settings(), TimeProvider.System, NullLoggerFactory.Instance);

        Assert.Equal(first, again.Certificate.ApplicationUri);
        Assert.Equal(first, again.Nodes.Namespaces.GetUri(1));
    }

    /// <summary>Two gateways that were started in one directory: the second one says so.</summary>
    [Fact]
    public async Task Parts_PkiOfARunningGateway_IsShared()
    {
        await using (var first = new GatewayParts(Settings(), TimeProvider.System, NullLoggerFactory.Instance))
        {
            await using var second = new GatewayParts(Settings(), TimeProvider.System, NullLoggerFactory.Instance);

            Assert.False(first.IsPkiShared);
            Assert.True(second.IsPkiShared);
        }

        await using var later = new GatewayParts(Settings(), TimeProvider.System, NullLoggerFactory.Instance);
        Assert.False(later.IsPkiShared);
    }

    [Theory]
    [InlineData(SocketError.AddressAlreadyInUse, "OpcUa:Port: '{0}' is in use")]
    [InlineData(SocketError.AccessDenied, "OpcUa:Port: '{0}' may not be used by this user")]
    [InlineData(SocketError.AddressNotAvailable, "OpcUa:Address: '127.0.0.1' is no address of this machine")]
    [InlineData(SocketError.AddressFamilyNotSupported, "OpcUa:Address: '127.0.0.1' is of a kind")]
    [InlineData(SocketError.NetworkDown, "OpcUa:Address: cannot listen on '127.0.0.1:{0}'")]
    public void StartProblem_OfASocket_BeginsWithTheKeyAndTheValue(SocketError error, string start)
    {
        var settings = Settings();

        var text = StartProblem.Of(
            new ListenException(settings.OpcUaEndPoint, new SocketException((int)error)), settings);

        Assert.StartsWith(
            string.Format(CultureInfo.InvariantCulture, start, settings.OpcUaEndPoint.Port), text,
            StringComparison.Ordinal);
        Assert.DoesNotContain('\n', text);
    }

    private GatewaySettings Settings(params string[] more)
    {
        var configuration = CommandLine.ReadConfiguration(
            [
                "--OpcUa:Address=127.0.0.1", $"--OpcUa:Port={FreePort()}", "--Http:Address=127.0.0.1",
                $"--Http:Port={FreePort()}", $"--Pki:Path={_folder}", "--Simulator:Tags=10", .. more,
            ]);
        return GatewaySettingsReader.TryRead(configuration, out _)!;
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
