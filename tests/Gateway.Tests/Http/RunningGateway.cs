using System.Net;
using System.Net.Sockets;
using System.Text;
using Gateway.Sources;
using Gateway.Testing;
using Gateway.Tests.Hosting;
using Microsoft.AspNetCore.Builder;

namespace Gateway.Tests.Http;

/// <summary>A whole gateway in this process, in demo mode, on free loopback ports.</summary>
internal sealed class RunningGateway : IAsyncDisposable
{

    private readonly string _folder;
    private readonly WebApplication _application;

    private RunningGateway(string folder, WebApplication application)
    {
        (_folder, _application) = (folder, application);
        Client = new HttpClient { BaseAddress = Composition.HttpOf(application) };
    }

    public HttpClient Client { get; }

    public IServiceProvider Services => _application.Services;

    public T Get<T>()
        where T : class => _application.Get<T>();

    public static Task<RunningGateway> StartAsync(params string[] options) => StartAsync(static _ => { }, options);

    /// <param name="add">Paths of the test's own.</param>
    /// <param name="options">As on the command line.</param>
    public static Task<RunningGateway> StartAsync(Action<WebApplication> add, params string[] options) =>
        StartAsync(TimeProvider.System, add, options);

    /// <param name="time">Of all parts.</param>
    /// <param name="add">Paths of the test's own.</param>
    /// <param name="options">As on the command line.</param>
    public static Task<RunningGateway> StartAsync(
        TimeProvider time, Action<WebApplication> add, params string[] options) =>
        StartAsync(time, [], add, options);

    /// <param name="time">Of all parts.</param>
    /// <param name="drivers">Beside the product's.</param>
    /// <param name="add">Paths of the test's own.</param>
    /// <param name="options">As on the command line.</param>
    public static async Task<RunningGateway> StartAsync(
        TimeProvider time, SourceDriverRegistration[] drivers, Action<WebApplication> add, params string[] options)
    {
        var folder = Directory.CreateTempSubdirectory("gateway-").FullName;
        GivenKey.PutInto(folder);
        var application = Composition.Build(time, drivers, ["--demo", $"--Pki:Path={folder}", .. options]);
        add(application);
        await application.StartAsync();
        return new RunningGateway(folder, application);
    }

    public async Task<Socket> ConnectAsync()
    {
        var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await peer.ConnectAsync(IPAddress.Loopback, Client.BaseAddress!.Port);
        return peer;
    }

    public static async Task SendAsync(Socket peer, string text) => await peer.SendAsync(Encoding.ASCII.GetBytes(text));

    /// <summary>What it says until it closes, or until the text has come.</summary>
    public static async Task<string> ReadAsync(Socket peer, string? until = null)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
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
        Directory.Delete(_folder, recursive: true);
    }
}
