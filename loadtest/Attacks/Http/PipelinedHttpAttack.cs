using System.Net.Sockets;
using System.Text;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks.Http;

/// <summary>
/// HTTP requests one behind the other, without a pause and without waiting for an answer, each connection with one of
/// the requests below. A socket whose bytes are always there could keep the thread that serves it, so that nobody is
/// accepted and nobody else is answered. One connection in five never reads: the gateway ends it.
/// </summary>
internal sealed class PipelinedHttpAttack : Attack
{
    private const int Addresses = 50;
    private const int RequestsABatch = 64;
    private const int OneInThatNeverReads = 5;

    /// <summary>It takes this much before its peer has to read.</summary>
    private const int ReceiveBytes = 4096;

    /// <summary>For the end of one that reads at last.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    /// <summary>The health paths are not rated; the others are refused above the rate of an address.</summary>
    private static readonly string[] Paths =
        ["/livez", "/api/v1/values?node=ns%3D2%3Bi%3D1000", "/api/v1/nodes/ns%3D2%3Bi%3D1000", "/no/such"];

    private long _bytes;
    private int _ended;

    public override string Name => "pipelined-http";

    public override string Summary =>
        "200 HTTP connections that send requests without a pause, some without reading: everybody else is served.";

    public override string Rules => "R04, R05, R10, R41";

    public override Plant PlantOf(AttackSize size) => new()
    {
        Arguments = size == AttackSize.Full ? [] : ["--Limits:WriteDeadline=00:00:02"],
    };

    public override async Task RunAsync(AttackContext context)
    {
        var count = context.Pick(200, 20);
        var target = new WireTarget(context.HttpUrl.ToString());
        var health = new HealthProbe(context);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        using var over = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        over.CancelAfter(TimeSpan.FromSeconds(context.Pick(30, 5)));
        var quiet = TimeSpan.FromSeconds(context.Pick(40, 15));
        var probing = health.RunAsync(end.Token);
        var isEnded = await Task.WhenAll(Enumerable.Range(0, count).Select(number =>
            number % OneInThatNeverReads == 0
                ? NeverReadAsync(target, number, quiet, context.Cancellation)
                : FloodAsync(target, number, over.Token)));
        await end.CancelAsync();
        await probing;

        context.Report.Add("connections", count);
        context.Report.Add("connections that the gateway ended", _ended);
        context.Report.Add("bytes of answers", _bytes);
        health.AddTo(context);
        if (_bytes == 0)
            context.Report.Fail("not one request of the attackers was answered");
        context.Report.AddFault(
            "connections that never read and were not ended", isEnded.Count(static ended => !ended));
    }

    private static byte[] BatchOf(int number) => Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat(
        $"GET {Paths[number % Paths.Length]} HTTP/1.1\r\nHost: localhost\r\n\r\n", RequestsABatch)));

    /// <summary>Takes each answer. One that the gateway ends comes again at once.</summary>
    private async Task<bool> FloodAsync(WireTarget target, int number, CancellationToken over)
    {
        var batch = BatchOf(number);
        while (!over.IsCancellationRequested)
        {
            try
            {
                using var socket = await target.ConnectAsync(number % Addresses, over);
                var taking = TakeAsync(socket, over);
                var sending = SendAsync(socket, batch, over);
                await Task.WhenAny(taking, sending);
                socket.Close();
                await Task.WhenAll(taking, sending).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
            catch (SocketException)
            {
                // Refused: it tries again.
            }
            catch (OperationCanceledException)
            {
                break;
            }

            if (!over.IsCancellationRequested)
                Interlocked.Increment(ref _ended);
        }

        return true;
    }

    /// <summary>It sends without taking an answer, and comes to read when it should long be ended: what the kernels
    /// kept for it, and then the end. False: there was none, the gateway goes on with it.</summary>
    private async Task<bool> NeverReadAsync(
        WireTarget target, int number, TimeSpan quiet, CancellationToken cancellation)
    {
        using var isQuiet = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        isQuiet.CancelAfter(quiet);
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        patience.CancelAfter(quiet + Patience);
        try
        {
            using var socket = await target.ConnectAsync(number % Addresses, patience.Token);
            socket.ReceiveBufferSize = ReceiveBytes;
            await SendAsync(socket, BatchOf(number), isQuiet.Token)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await TakeAsync(socket, patience.Token);
        }
        catch (SocketException)
        {
            // That is its end.
        }
        catch (OperationCanceledException)
        {
            return false;
        }

        Interlocked.Increment(ref _ended);
        return true;
    }

    private static async Task SendAsync(Socket socket, byte[] batch, CancellationToken over)
    {
        while (true)
        {
            for (var sent = 0; sent < batch.Length;)
                sent += await socket.SendAsync(batch.AsMemory(sent), SocketFlags.None, over);
        }
    }

    /// <summary>Until its end.</summary>
    private async Task TakeAsync(Socket socket, CancellationToken over)
    {
        var bytes = new byte[16 * 1024];
        int count;
        while ((count = await socket.ReceiveAsync(bytes, over)) > 0)
            Interlocked.Add(ref _bytes, count);
    }
}
