using System.Globalization;
using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging;

namespace Gateway.Loadtest.Scenarios.Rest;

/// <summary>An empty minimal-API endpoint in a process of its own: what Kestrel takes of a request. Its settings are
/// those of the gateway's HTTP listener. It answers "@ready port"; an end of its input ends it.</summary>
internal static class EmptyEndpoint
{
    public const string Command = "empty-endpoint";

    private const int BufferBytes = 128 * 1024;
    private const int Backlog = 4096;
    private const int MaxHeaderBytes = 16 * 1024;
    private const int MaxHeaders = 64;
    private const int MaxBodyBytes = 1024 * 1024;
    private const int BytesPerSecond = 240;

    private static readonly TimeSpan HeaderDeadline = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan KeepAliveTime = TimeSpan.FromSeconds(30);

    public static async Task<int> RunAsync(TextReader input, TextWriter output, CancellationToken cancellation)
    {
        var builder = WebApplication.CreateSlimBuilder(new WebApplicationOptions
        {
            EnvironmentName = "Production",
            ContentRootPath = AppContext.BaseDirectory,
        });
        builder.Logging.ClearProviders();
        builder.WebHost.UseSockets(SetSockets);
        builder.WebHost.ConfigureKestrel(SetKestrel);
        await using var application = builder.Build();
        application.MapGet("/empty", static _ => Task.CompletedTask);
        await application.StartAsync(cancellation);
        await output.WriteLineAsync($"@ready {new Uri(application.Urls.First()).Port}".AsMemory(), cancellation);
        await output.FlushAsync(cancellation);
        await input.ReadToEndAsync(cancellation);
        return 0;
    }

    /// <summary>How the gateway's runtime is set; what its project file says.</summary>
    public static void SetRuntime(IDictionary<string, string?> environment)
    {
        environment["DOTNET_TieredPGO"] = "0";
        environment["DOTNET_TC_QuickJit"] = "0";
        environment["DOTNET_GCGen0MaxBudget"] = (4 * 1024 * 1024).ToString("x", CultureInfo.InvariantCulture);
        environment["DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS"] = "1";
    }

    private static void SetSockets(SocketTransportOptions sockets)
    {
        sockets.UnsafePreferInlineScheduling = true;
        sockets.MaxReadBufferSize = BufferBytes;
        sockets.MaxWriteBufferSize = BufferBytes;
        sockets.NoDelay = true;
        sockets.Backlog = Backlog;
    }

    private static void SetKestrel(KestrelServerOptions kestrel)
    {
        kestrel.AddServerHeader = false;
        kestrel.Listen(IPAddress.Loopback, 0, static listen => listen.Protocols = HttpProtocols.Http1);
        var limits = kestrel.Limits;
        limits.RequestHeadersTimeout = HeaderDeadline;
        limits.KeepAliveTimeout = KeepAliveTime;
        limits.MaxRequestLineSize = MaxHeaderBytes;
        limits.MaxRequestHeadersTotalSize = MaxHeaderBytes;
        limits.MaxRequestHeaderCount = MaxHeaders;
        limits.MaxRequestBodySize = MaxBodyBytes;
        var slowest = new MinDataRate(BytesPerSecond, HeaderDeadline);
        (limits.MinRequestBodyDataRate, limits.MinResponseDataRate) = (slowest, slowest);
    }
}
