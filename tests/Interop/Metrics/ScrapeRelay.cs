using System.Net;
using Gateway.Loadtest.Machine;
using Gateway.Testing;

namespace Gateway.Interop.Metrics;

/// <summary>
/// Stands between Prometheus and the gateway: counts scrapes, so that a test can await them, and asks for one format by
/// path: <c>/open</c> as Prometheus does by itself, <c>/text</c> as one that does not know OpenMetrics.
/// </summary>
internal sealed class ScrapeRelay : IAsyncDisposable
{
    private const string TextAccept = "text/plain;version=0.0.4;q=1,*/*;q=0.1";

    private readonly HttpListener listener = new();
    private readonly HttpClient gateway;
    private readonly Lock countsLock = new();
    private readonly Dictionary<string, int> counts = [];
    private readonly Task loop;
    private TaskCompletionSource scraped = NewSignal();

    public ScrapeRelay(int gatewayPort)
    {
        Port = FreePort.Next();
        gateway = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{gatewayPort}") };
        listener.Prefixes.Add($"http://127.0.0.1:{Port}/");
        listener.Start();
        loop = RunAsync();
    }

    public int Port { get; }

    /// <summary>Content types that went by.</summary>
    public HashSet<string> ContentTypes { get; } = [];

    /// <summary>Ends when so many scrapes more than now were taken in by Prometheus on both paths: it asks again only
    /// after it has.</summary>
    public async Task ScrapesAsync(int more)
    {
        int open = Count("/open") + more + 1;
        int text = Count("/text") + more + 1;
        while (true)
        {
            Task next = Volatile.Read(ref scraped).Task;
            if (Count("/open") >= open && Count("/text") >= text)
                return;
            await next.WaitAsync(Patience.Limit);
        }
    }

    public async ValueTask DisposeAsync()
    {
        listener.Close();
        await loop;
        gateway.Dispose();
    }

    private static TaskCompletionSource NewSignal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private int Count(string path)
    {
        lock (countsLock)
            return counts.GetValueOrDefault(path);
    }

    private async Task RunAsync()
    {
        while (listener.IsListening)
        {
            HttpListenerContext context;
            try
            {
                context = await listener.GetContextAsync();
            }
            catch (Exception error) when (error is HttpListenerException or ObjectDisposedException)
            {
                return;
            }
            await RelayAsync(context);
        }
    }

    private async Task RelayAsync(HttpListenerContext context)
    {
        string path = context.Request.Url!.AbsolutePath;
        using HttpRequestMessage request = new(HttpMethod.Get, "/metrics");
        request.Headers.TryAddWithoutValidation(
            "Accept", path == "/text" ? TextAccept : context.Request.Headers["Accept"]);
        using HttpResponseMessage answer = await gateway.SendAsync(request);
        byte[] body = await answer.Content.ReadAsByteArrayAsync();
        lock (countsLock)
        {
            counts[path] = counts.GetValueOrDefault(path) + 1;
            ContentTypes.Add(answer.Content.Headers.ContentType!.ToString());
        }
        context.Response.StatusCode = (int)answer.StatusCode;
        context.Response.ContentType = answer.Content.Headers.ContentType!.ToString();
        try
        {
            await context.Response.OutputStream.WriteAsync(body);
            context.Response.Close();
        }
        catch (HttpListenerException)
        {
            // Prometheus has ended meanwhile.
        }
        Interlocked.Exchange(ref scraped, NewSignal()).TrySetResult();
    }
}
