using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks.Http;

/// <summary>Sockets that connect, say nothing, and connect again a while after the other side has closed. Those that
/// one process may not have are a second one's (<see cref="Command"/>).</summary>
internal sealed class SocketCrowd(WireTarget target, int count, int addresses)
{
    /// <summary>Of the process that holds the rest; led by a line: URL, count, addresses. An end of its input ends it.
    /// </summary>
    public const string Command = "hold-sockets";

    private const int MostOfAProcess = 12_000;
    private const int ComeAgainPerSecond = 1000;

    private long _connects;

    public long Connects => Volatile.Read(ref _connects);

    public static async Task<int> RunAsync(TextReader input, CancellationToken cancellation)
    {
        var words = (await input.ReadLineAsync(cancellation))!.Split(' ');
        var crowd = new SocketCrowd(new WireTarget(words[0]), Number(words[1]), Number(words[2]));
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        var running = crowd.RunAsync(end.Token);
        await input.ReadToEndAsync(cancellation);
        await end.CancelAsync();
        await running;
        return 0;
    }

    /// <summary>Disposing it ends the other process.</summary>
    public IAsyncDisposable StartOthers() => new OtherProcess(target, count - MostOfAProcess, addresses);

    public Task RunAsync(CancellationToken end) => Task.WhenAll(
        Enumerable.Range(0, Math.Min(count, MostOfAProcess)).Select(number => KeepAsync(number % addresses, end)));

    private async Task KeepAsync(int address, CancellationToken end)
    {
        var pause = TimeSpan.FromSeconds(Math.Max(1.0, (double)count / ComeAgainPerSecond));
        while (!end.IsCancellationRequested)
        {
            try
            {
                Interlocked.Increment(ref _connects);
                using var socket = await target.ConnectAsync(address, end);
                var bytes = new byte[256];
                while (await socket.ReceiveAsync(bytes, end) > 0)
                {
                    // A refusal: it says nothing to it.
                }
            }
            catch (SocketException)
            {
                // Refused, or reset.
            }
            catch (OperationCanceledException)
            {
                return;
            }

            await Task.Delay(pause, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);

    private sealed class OtherProcess : IAsyncDisposable
    {
        private readonly Process? _process;

        public OtherProcess(WireTarget target, int count, int addresses)
        {
            if (count <= 0)
                return;
            _process = Process.Start(new ProcessStartInfo("dotnet")
            {
                ArgumentList = { typeof(SocketCrowd).Assembly.Location, Command },
                RedirectStandardInput = true,
            })!;
            _process.StandardInput.WriteLine(
                string.Create(CultureInfo.InvariantCulture, $"http://{target.Server} {count} {addresses}"));
            _process.StandardInput.Flush();
        }

        public async ValueTask DisposeAsync()
        {
            if (_process is null)
                return;
            _process.StandardInput.Close();
            await _process.WaitForExitAsync();
            _process.Dispose();
        }
    }
}
