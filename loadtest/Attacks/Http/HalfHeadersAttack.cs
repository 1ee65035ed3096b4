using System.Net.Sockets;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks.Http;

/// <summary>Requests whose header never ends: a byte a second keeps it alive. Each is closed at the deadline, and
/// health answers beside them.</summary>
internal sealed class HalfHeadersAttack : Attack
{
    private const int Addresses = 50;

    /// <summary>Limits:HttpHeaderDeadline and its tolerance.</summary>
    private const double MostSeconds = 6;

    private static readonly TimeSpan Drip = TimeSpan.FromSeconds(1);

    public override string Name => "half-headers";

    public override string Summary =>
        "1,000 HTTP requests that send a byte of their header a second: closed within 6 s.";

    public override string Rules => "R05, R41";

    public override async Task RunAsync(AttackContext context)
    {
        var count = context.Pick(1000, 100);
        var target = new WireTarget(context.HttpUrl.ToString());
        var health = new HealthProbe(context);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        var probing = health.RunAsync(end.Token);
        var lives = await Task.WhenAll(
            Enumerable.Range(0, count).Select(number => LiveAsync(target, number % Addresses, context.Cancellation)));
        await end.CancelAsync();
        await probing;

        context.Report.Add("half headers", count);
        context.Report.Add("longest life of one", lives.Max(), "s");
        health.AddTo(context);
        context.Report.AddFault("half headers that the gateway did not end", lives.Count(life => life >= 60));
        if (context.IsFull)
            context.Report.AddFault("half headers there for more than 6 s", lives.Count(life => life > MostSeconds));
    }

    /// <returns>Seconds; 60: it was not ended.</returns>
    private static async Task<double> LiveAsync(WireTarget target, int address, CancellationToken cancellation)
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        patience.CancelAfter(TimeSpan.FromSeconds(60));
        var since = TimeProvider.System.GetTimestamp();
        try
        {
            using var socket = await target.ConnectAsync(address, patience.Token);
            since = TimeProvider.System.GetTimestamp();
            await socket.SendAsync("GET /livez HTTP/1.1\r\nHost: localhost\r\nX: "u8.ToArray(), patience.Token);
            var ended = EndOfAsync(socket, patience.Token);
            while (await Task.WhenAny(ended, Task.Delay(Drip, patience.Token)) != ended)
                await socket.SendAsync("x"u8.ToArray(), patience.Token);
        }
        catch (SocketException)
        {
            // That is its end.
        }
        catch (OperationCanceledException)
        {
            return 60;
        }

        return TimeProvider.System.GetElapsedTime(since).TotalSeconds;
    }

    private static async Task EndOfAsync(Socket socket, CancellationToken cancellation)
    {
        var bytes = new byte[256];
        while (await socket.ReceiveAsync(bytes, cancellation) > 0)
        {
            // 408, or nothing.
        }
    }
}
