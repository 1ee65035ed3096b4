using System.Globalization;
using System.Net;
using Gateway.Loadtest.Machine;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;

namespace Gateway.Tests.Tokens;

/// <summary>Serves keys on loopback, and counts how often somebody asks.</summary>
internal sealed class KeyServer : IAsyncDisposable
{
    private readonly WebApplication _application;
    private int _asked;

    private KeyServer(WebApplication application, Uri url) => (_application, Url) = (application, url);

    public Uri Url { get; }

    public int Asked => Volatile.Read(ref _asked);

    public string Body { get; set; } = "";

    public int Status { get; set; } = 200;

    /// <summary>When set, answers wait for it.</summary>
    public TaskCompletionSource? Gate { get; set; }

    public static async Task<KeyServer> StartAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        var port = FreePort.Next();
        builder.WebHost.ConfigureKestrel(kestrel => kestrel.Listen(IPAddress.Loopback, port));
        var application = builder.Build();
        var server = new KeyServer(application, new Uri(string.Create(
            CultureInfo.InvariantCulture, $"http://127.0.0.1:{port}/keys")));
        application.Run(server.AnswerAsync);
        await application.StartAsync();
        return server;
    }

    public async ValueTask DisposeAsync() => await _application.DisposeAsync();

    private async Task AnswerAsync(HttpContext context)
    {
        Interlocked.Increment(ref _asked);
        if (Gate is { } gate)
            await gate.Task.WaitAsync(context.RequestAborted);
        context.Response.StatusCode = Status;
        if (Status == 302)
            context.Response.Headers.Location = "/elsewhere";
        await context.Response.WriteAsync(Body);
    }
}
