using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Gateway.Host;
using Gateway.Host.Configuration;
using Gateway.Host.Hosting;
using Gateway.Host.Logging;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Tests.Http;

/// <summary>A whole gateway in this process, in demo mode, on free loopback ports.</summary>
internal sealed class RunningGateway : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly string _folder;
    private readonly WebApplication _application;
    private readonly IPEndPoint _http;

    private RunningGateway(string folder, WebApplication application, GatewayParts parts, IPEndPoint http)
    {
        (_folder, _application, Parts, _http) = (folder, application, parts, http);
        Client = new HttpClient
        {
            BaseAddress = new Uri(string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{http.Port}")),
        };
    }

    public GatewayParts Parts { get; }

    public HttpClient Client { get; }

    public IServiceProvider Services => _application.Services;

    public static Task<RunningGateway> StartAsync(params string[] options) => StartAsync(static _ => { }, options);

    /// <param name="add">Paths of the test's own.</param>
    /// <param name="options">As on the command line.</param>
    public static Task<RunningGateway> StartAsync(Action<WebApplication> add, params string[] options) =>
        StartAsync(TimeProvider.System, add, options);

    /// <param name="time">Of all parts.</param>
    /// <param name="add">Paths of the test's own.</param>
    /// <param name="options">As on the command line.</param>
    public static async Task<RunningGateway> StartAsync(
        TimeProvider time, Action<WebApplication> add, params string[] options)
    {
        var folder = Directory.CreateTempSubdirectory("gateway-").FullName;
        var configuration = CommandLine.ReadConfiguration(
        [
            "--demo", "--OpcUa:Address=127.0.0.1", $"--OpcUa:Port={FreePort()}", $"--Http:Port={FreePort()}",
            $"--Pki:Path={folder}", "--Simulator:Tags=10", .. options,
        ]);
        var settings = GatewaySettingsReader.TryRead(configuration, out var errors);
        Assert.Empty(errors);
        var builder = GatewayApplication.CreateBuilder(
            configuration, settings!, new LogThrottle(new LogLimits(), TimeProvider.System));
        var parts = new GatewayParts(settings!, time, NullLoggerFactory.Instance);
        var application = GatewayApplication.Build(builder, settings!, parts, time);
        add(application);
        await application.StartAsync();
        return new RunningGateway(folder, application, parts, settings!.HttpEndPoint);
    }

    public async Task<Socket> ConnectAsync()
    {
        var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await peer.ConnectAsync(IPAddress.Loopback, _http.Port);
        return peer;
    }

    public static async Task SendAsync(Socket peer, string text) => await peer.SendAsync(Encoding.ASCII.GetBytes(text));

    /// <summary>What it says until it closes, or until the text has come.</summary>
    public static async Task<string> ReadAsync(Socket peer, string? until = null)
    {
        using var patience = new CancellationTokenSource(Patience);
        var answer = new StringBuilder();
        var bytes = new byte[4096];
        try
        {
            while ((until is null || !answer.ToString().Contains(until, StringComparison.Ordinal)) &&
                await peer.ReceiveAsync(bytes, patience.Token) is > 0 and var count)
                answer.Append(Encoding.ASCII.GetString(bytes, 0, count));
        }
        catch (SocketException error) when (error.SocketErrorCode == SocketError.ConnectionReset)
        {
            // Closed all the same.
        }

        return answer.ToString();
    }

    /// <summary>As on SIGTERM.</summary>
    public Task StopAsync() => _application.StopAsync();

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        await _application.DisposeAsync();
        await Parts.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
