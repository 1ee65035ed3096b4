using System.Net.Sockets;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>A socket that sends a beginning and waits for its end.</summary>
internal static class SlowSocket
{
    public static IReadOnlyList<string> Kinds { get; } = ["nothing", "one byte", "half a HEL", "HEL and nothing more"];

    public static ReadOnlyMemory<byte> BeginningOf(int kind, byte[] hello) => kind switch
    {
        0 => default,
        1 => hello.AsMemory(0, 1),
        2 => hello.AsMemory(0, hello.Length / 2),
        _ => hello,
    };

    /// <returns>How it ended and how long it lived; the time is NaN where the end of the patience came first, or no
    /// connection came about.</returns>
    public static async Task<(string End, double Seconds)> RunAsync(
        WireTarget target, int kind, int address, TimeSpan patience, TimeProvider time)
    {
        using var limit = new CancellationTokenSource(patience, time);
        try
        {
            using var socket = await target.ConnectAsync(address, limit.Token);
            var since = time.GetTimestamp();
            try
            {
                await WireFrame.SendAsync(socket, BeginningOf(kind, target.Hello), limit.Token);
                return (await EndOfAsync(socket, limit.Token), time.GetElapsedTime(since).TotalSeconds);
            }
            catch (SocketException error)
            {
                return (error.SocketErrorCode.ToString(), time.GetElapsedTime(since).TotalSeconds);
            }
        }
        catch (OperationCanceledException)
        {
            return ("(still there)", double.NaN);
        }
        catch (SocketException error)
        {
            return ($"(no connection: {error.SocketErrorCode})", double.NaN);
        }
    }

    /// <summary>The ERR before the end, where one came.</summary>
    private static async Task<string> EndOfAsync(Socket socket, CancellationToken end)
    {
        var refusal = "closed";
        while (await WireFrame.ReadAsync(socket, end) is { IsEnd: false } frame)
        {
            if (frame.Type == "ERR")
                refusal = frame.Refusal();
        }

        return refusal;
    }
}
