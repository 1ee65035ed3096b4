using System.Net;
using System.Net.Sockets;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Attacks.Http;

/// <summary>Asks for <c>/livez</c> and <c>/readyz</c> as an orchestrator does, over a new connection each time and from
/// an address of its own, and looks at the gateway's descriptors. On a thread of its own: the attackers keep the pool
/// of this process busy, and its wait would count as the gateway's.</summary>
internal sealed class HealthProbe(AttackContext context)
{
    private const double MostMs = 1000;

    private static readonly IPEndPoint From = new(new IPAddress([127, 0, 0, 3]), 0);
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(250);
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    /// <summary>A small run shares its cores with other tests.</summary>
    private static readonly TimeSpan SmallPatience = TimeSpan.FromSeconds(60);

    private int _asked;
    private int _failed;
    private string? _why;
    private double _slowestMs;

    public int MostDescriptors { get; private set; }

    public Task RunAsync(CancellationToken end) => Task.Factory.StartNew(
        () => Run(end), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    public void AddTo(AttackContext attack)
    {
        attack.Report.Add("health probes", _asked);
        attack.Report.AddFault("health probes that failed", _failed);
        if (_why is not null)
            attack.Report.Fail("the first of them: " + _why);
        attack.Report.Add("slowest health probe", _slowestMs, "ms");
        var mostMs = MostMs * MachineScale.Of(attack.Report.SignaturesPerSecond);
        if (attack.IsFull && _slowestMs > mostMs)
            attack.Report.Fail(FormattableString.Invariant($"a health probe took longer than {mostMs:0} ms"));
    }

    private void Run(CancellationToken end)
    {
        using var handler = new SocketsHttpHandler
        {
            PooledConnectionLifetime = TimeSpan.Zero,
            ConnectCallback = static (to, _) =>
            {
                var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                socket.Bind(From);
                socket.Connect(to.DnsEndPoint);
                return ValueTask.FromResult<Stream>(new NetworkStream(socket, ownsSocket: true));
            },
        };
        using var client = new HttpClient(handler)
        {
            BaseAddress = context.HttpUrl,
            Timeout = context.IsFull ? Patience : SmallPatience,
        };
        while (!end.IsCancellationRequested)
        {
            Ask(client, _asked % 2 == 0 ? "/livez" : "/readyz");
            Look();
            end.WaitHandle.WaitOne(Interval);
        }
    }

    private void Ask(HttpClient client, string path)
    {
        var since = TimeProvider.System.GetTimestamp();
        _asked++;
        try
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, path);
            using var answer = client.Send(request, context.Cancellation);
            if (answer.StatusCode != HttpStatusCode.OK)
                Fail($"{path}: {answer.StatusCode} {new StreamReader(answer.Content.ReadAsStream()).ReadToEnd()}");
        }
        catch (Exception error) when (error is HttpRequestException or OperationCanceledException or SocketException)
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
