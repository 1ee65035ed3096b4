using System.Net.Sockets;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>So many places, each of which opens a channel by a recorded OPN, holds it in silence, and opens the next
/// one as soon as that is closed.</summary>
internal sealed class ChannelFlood(WireTarget target, RecordedOpening[] openings, int places, int addresses) : Flood
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(20);
    private int _held;
    private int _served;

    public override int Held => Volatile.Read(ref _held);

    public override long Served => Volatile.Read(ref _served);

    public override async Task RunAsync(double seconds, CancellationToken cancellation)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        end.CancelAfter(TimeSpan.FromSeconds(seconds));
        var held = 0;
        var running = new Task[places];
        using var measured = end.Token.Register(() => held = Held);
        for (var place = 0; place < places; place++)
            running[place] = HoldAsync(place, end.Token);
        await Task.WhenAll(running);
        _held = held;
    }

    private async Task HoldAsync(int place, CancellationToken end)
    {
        while (!end.IsCancellationRequested)
        {
            Attempt();
            try
            {
                using var socket = await target.ConnectAsync(place % addresses, end);
                Answered(await OpenAsync(socket, openings[place % openings.Length], end));
            }
            catch (SocketException error)
            {
                Answered(error.SocketErrorCode.ToString());
            }
            catch (Exception over) when (over is OperationCanceledException or InvalidDataException)
            {
                Answered("(held to the end)");
            }

            await Task.Delay(Pause, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <returns>How it ended.</returns>
    private async Task<string> OpenAsync(Socket socket, RecordedOpening opening, CancellationToken end)
    {
        await WireFrame.SendAsync(socket, target.Hello, end);
        var frame = await WireFrame.ReadAsync(socket, end);
        if (frame.Type != "ACK")
            return frame.Refusal();
        await WireFrame.SendAsync(socket, opening.Bytes, end);
        frame = await WireFrame.ReadAsync(socket, end);
        if (frame.Type != "OPN")
            return frame.Refusal();
        Interlocked.Increment(ref _served);
        Interlocked.Increment(ref _held);
        try
        {
            frame = await WireFrame.ReadAsync(socket, end);
            return $"channel, later {frame.Refusal()}";
        }
        finally
        {
            Interlocked.Decrement(ref _held);
        }
    }
}
