using System.Net;
using System.Net.Sockets;

namespace Gateway.Loadtest.Attacks.Http;

/// <summary>Asks for <c>/livez</c> and <c>/readyz</c> as an orchestrator does, over a new connection each time and from
/// an address of its own, and looks at the gateway's descriptors.</summary>
internal sealed class HealthProbe(AttackContext context)
{
    private const double MostMs = 1000;

    private static readonly IPEndPoint From = new(new IPAddress([127, 0, 0, 3]), 0);
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private int _asked;
    private int _failed;
    private string? _why;
    private double _slowestMs;

    public int MostDescriptors { get; private set; }

    public async Task RunAsync(CancellationToken end)
    {
        using var handler = new SocketsHttpHandler
        {
            PooledConnectionLifetime = TimeSpan.Zero,
            ConnectCallback = static async (to, cancellation) =>
            {
                var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                socket.Bind(From);
                await socket.ConnectAsync(to.DnsEndPoint, cancellation);
                return new NetworkStream(socket, ownsSocket: true);
            },
        };
        using var client = new HttpClient(handler) { BaseAddress = context.HttpUrl, Timeout = Patience };
        while (!end.IsCancellationRequested)
        {
            await AskAsync(client, _asked % 2 == 0 ? "/livez" : "/readyz");
            Look();
            await Task.Delay(Interval, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    public void AddTo(AttackContext attack)
    {
        attack.Report.Add("health probes", _asked);
        attack.Report.AddFault("health probes that failed", _failed);
        if (_why is not null)
            attack.Report.Fail("the first of them: " + _why);
        attack.Report.Add("slowest health probe", _slowestMs, "ms");
        if (attack.IsFull && _slowestMs > MostMs)
            attack.Report.Fail("a health probe took longer than a second");
    }

    private async Task AskAsync(HttpClient client, string path)
    {
        var since = TimeProvider.System.GetTimestamp();
        _asked++;
        try
        {
            using var answer = await client.GetAsync(new Uri(path, UriKind.Relative), context.Cancellation);
            if (answer.StatusCode != HttpStatusCode.OK)
                Fail($"{path}: {answer.StatusCode} {await answer.Content.ReadAsStringAsync(context.Cancellation)}");
        }
        catch (Exception error) when (error is HttpRequestException or OperationCanceledException)
        {
            Fail($"{path}: {error.GetBaseException().Message}");
        }

        _slowestMs = Math.Max(_slowestMs, TimeProvider.System.GetElapsedTime(since).TotalMilliseconds);
    }

    private void Fail(string why)
    {
        _failed++;
        _why ??= why;
    }

    private void Look()
    {
        try
        {
            MostDescriptors = Math.Max(
                MostDescriptors, Directory.EnumerateFileSystemEntries($"/proc/{context.Server.ProcessId}/fd").Count());
        }
        catch (IOException)
        {
            // It has ended; the run says so.
        }
    }
}
