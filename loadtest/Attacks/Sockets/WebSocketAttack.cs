using System.Globalization;
using System.Net.Sockets;
using System.Text;
using Gateway.Loadtest.Attacks.Http;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks.Sockets;

/// <summary>WebSockets of <c>/api/v1/ws</c> that abuse it, each in one of the ways below, again and again from their
/// start on. The gateway ends each of them by the limit that it is above, and health answers beside them.</summary>
internal sealed class WebSocketAttack : Attack
{
    private const int Addresses = 50;
    private const int Tags = 1000;
    private const byte Text = 0x81;
    private const byte TextToBeContinued = 0x01;
    private const byte Ping = 0x89;
    private const long HugeBytes = 1L << 62;

    /// <summary>It takes this much before its peer has to read.</summary>
    private const int ReceiveBytes = 4096;

    /// <summary>Limits:HttpRequestTimeout, Limits:WriteDeadline and the farewell, and some: buffers of the kernel fill
    /// up first.</summary>
    private const double MostSeconds = 45;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(90);

    private static readonly (string Name, Func<RawWebSocket, CancellationToken, Task> Act)[] Ways =
    [
        ("never reads", WatchAsync),
        ("a byte a second", (socket, end) => DripAsync(socket, end)),
        ("pings", (socket, end) => RepeatAsync(socket, RawWebSocket.Frame(Ping, "x"u8), end)),
        ("operations", (socket, end) => RepeatAsync(socket, RawWebSocket.Frame(Text, "{\"op\":\"ping\"}"u8), end)),
        ("empty fragments", FragmentAsync),
        ("a huge frame", (socket, end) => HugeAsync(socket, end)),
        ("an unmasked frame", (socket, end) => socket.SendAsync(
            RawWebSocket.Frame(Text, "{\"op\":\"ping\"}"u8, isMasked: false), end)),
    ];

    public override string Name => "websockets";

    public override string Summary =>
        "700 WebSockets that read nothing, drip, flood or send frames that must not be: each is ended.";

    public override string Rules => "R04, R05, R10, R18, R41";

    /// <summary>Tags that change fast fill the buffers of those that never read.</summary>
    public override Plant PlantOf(AttackSize size) => new()
    {
        Tags = Tags,
        ChangesPerSecond = 10 * Tags,
        Arguments = size == AttackSize.Full
            ? []
            : ["--Limits:HttpRequestTimeout=00:00:05", "--Limits:WriteDeadline=00:00:02"],
    };

    public override async Task RunAsync(AttackContext context)
    {
        var count = context.Pick(100, 4) * Ways.Length;
        var target = new WireTarget(context.HttpUrl.ToString());
        var health = new HealthProbe(context);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        var probing = health.RunAsync(end.Token);
        var quiet = TimeSpan.FromSeconds(context.Pick(25, 8));
        var lives = await Task.WhenAll(Enumerable.Range(0, count).Select(number =>
            LiveAsync(target, number, quiet, context.Cancellation)));
        await end.CancelAsync();
        await probing;

        context.Report.Add("WebSockets", count);
        for (var i = 0; i < Ways.Length; i++)
            context.Report.Add(
                string.Create(CultureInfo.InvariantCulture, $"longest life: {Ways[i].Name}"),
                lives.Where((_, number) => number % Ways.Length == i).Max(), "s");
        health.AddTo(context);
        context.Report.AddFault(
            "WebSockets that the gateway did not end", lives.Count(static life => life >= Patience.TotalSeconds));
        if (context.IsFull)
            context.Report.AddFault(
                string.Create(CultureInfo.InvariantCulture, $"WebSockets there for more than {MostSeconds} s"),
                lives.Count(static life => life > MostSeconds));
    }

    /// <returns>Seconds from its opening; those of the patience: it was not ended.</returns>
    private static async Task<double> LiveAsync(
        WireTarget target, int number, TimeSpan quiet, CancellationToken cancellation)
    {
        var act = Ways[number % Ways.Length].Act;
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        patience.CancelAfter(Patience);
        var since = TimeProvider.System.GetTimestamp();
        try
        {
            using var socket = await RawWebSocket.OpenAsync(
                target, number % Addresses, act == WatchAsync ? ReceiveBytes : 0, patience.Token);
            since = TimeProvider.System.GetTimestamp();
            await ActAsync(socket, act, quiet, patience.Token);
        }
        catch (SocketException)
        {
            // That is its end.
        }
        catch (OperationCanceledException)
        {
            return Patience.TotalSeconds;
        }

        return TimeProvider.System.GetElapsedTime(since).TotalSeconds;
    }

    /// <summary>One that watches comes to read when it should long be ended: what the kernel kept for it, and then the
    /// end. Any other learns of its end while it acts.</summary>
    private static async Task ActAsync(
        RawWebSocket socket, Func<RawWebSocket, CancellationToken, Task> act, TimeSpan quiet, CancellationToken end)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(end);
        if (act == WatchAsync)
        {
            await act(socket, end);
            await Task.Delay(quiet, end);
            await socket.AwaitEndAsync(end);
            return;
        }

        var ended = socket.AwaitEndAsync(end);
        var acting = act(socket, over.Token);
        await ended;
        await over.CancelAsync();
        await acting.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    /// <summary>All tags at a high pace.</summary>
    private static Task WatchAsync(RawWebSocket socket, CancellationToken end)
    {
        var nodes = string.Join(',', Enumerable.Range(1000, Tags).Select(static id => $"\"ns=2;i={id}\""));
        return socket.SendAsync(RawWebSocket.Frame(Text, Encoding.ASCII.GetBytes(
            $"{{\"op\":\"subscribe\",\"interval\":100,\"nodes\":[{nodes}]}}")), end);
    }

    private static async Task DripAsync(RawWebSocket socket, CancellationToken end)
    {
        await socket.SendAsync(RawWebSocket.Frame(Text, "{"u8, declared: 1000), end);
        while (true)
        {
            await Task.Delay(TimeSpan.FromSeconds(1), end);
            await socket.SendAsync(" "u8.ToArray(), end);
        }
    }

    /// <summary>A message that never ends, in fragments without a byte.</summary>
    private static async Task FragmentAsync(RawWebSocket socket, CancellationToken end)
    {
        await socket.SendAsync(RawWebSocket.Frame(TextToBeContinued, default), end);
        await RepeatAsync(socket, RawWebSocket.Frame(0, default), end);
    }

    private static async Task HugeAsync(RawWebSocket socket, CancellationToken end)
    {
        await socket.SendAsync(RawWebSocket.Frame(Text, default, HugeBytes), end);
        await RepeatAsync(socket, new byte[64 * 1024], end);
    }

    private static async Task RepeatAsync(RawWebSocket socket, byte[] bytes, CancellationToken end)
    {
        while (!end.IsCancellationRequested)
        {
            await socket.SendAsync(bytes, end);
            await Task.Yield();
        }
    }
}
