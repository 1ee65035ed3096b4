using System.Buffers.Binary;
using System.Net.Sockets;
using System.Text;
using Gateway.Loadtest.Scenarios.Abuse;
using Gateway.Loadtest.Scenarios.Storm;

namespace Gateway.Loadtest.Attacks.Words;

/// <summary>Connections whose every word is meant for the operator's terminal: endpoint URLs, ERR reasons and frames
/// with ESC, CR and LF in them, as fast as they are taken. The log is checked for every attack.</summary>
internal sealed class LogFloodAttack : Attack
{
    private const int Addresses = 50;
    private const string Hostile = "\u001b[2J\u001b]0;owned\u0007\r\nfail: forged line\u009b31m\u202e";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    public override string Name => "log-flood";

    public override string Summary =>
        "Endpoint URLs, ERR reasons and frames with ESC and CR: no control in the log, at most 1 MiB a minute of it.";

    public override string Rules => "R24, R25";

    public override async Task RunAsync(AttackContext context)
    {
        var target = new WireTarget(context.Run.Url);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        end.CancelAfter(TimeSpan.FromSeconds(context.Pick(full: 120, small: 5)));
        var sent = await Task.WhenAll(Enumerable.Range(0, context.Pick(full: 16, small: 4)).Select(
            worker => FloodAsync(target, worker, end.Token)));

        context.Report.Add("hostile connections", sent.Sum());
        if (sent.Sum() == 0)
            context.Report.Fail("no hostile connection came about");
    }

    private static async Task<long> FloodAsync(WireTarget target, int worker, CancellationToken cancellation)
    {
        var sent = 0L;
        for (var turn = worker; !cancellation.IsCancellationRequested; turn++)
        {
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
            limit.CancelAfter(Patience);
            try
            {
                using var socket = await target.ConnectAsync(turn % Addresses, limit.Token);
                await WireFrame.SendAsync(socket, MessageOf(turn), limit.Token);
                sent++;
                while (!(await WireFrame.ReadAsync(socket, limit.Token)).IsEnd)
                {
                    // Until the gateway ends it.
                }
            }
            catch (Exception gone) when (
                gone is SocketException or OperationCanceledException or InvalidDataException)
            {
                // The next one.
            }
        }

        return sent;
    }

    private static byte[] MessageOf(int turn)
    {
        var hello = SilentSockets.Hello("opc.tcp://127.0.0.1/" + Hostile);
        return (turn % 4) switch
        {
            0 => [.. hello, .. Error()],
            1 => Error(),
            2 => Encoding.UTF8.GetBytes(Hostile + Hostile),
            _ => [.. hello, .. "OPNF"u8, 40, 0, 0, 0, .. Encoding.UTF8.GetBytes(Hostile + "  ")[..32]],
        };
    }

    private static byte[] Error()
    {
        var reason = Encoding.UTF8.GetBytes(string.Concat(Enumerable.Repeat(Hostile, 80)));
        var frame = new byte[16 + reason.Length];
        "ERRF"u8.CopyTo(frame);
        BinaryPrimitives.WriteInt32LittleEndian(frame.AsSpan(4), frame.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(frame.AsSpan(8), 0x80010000);
        BinaryPrimitives.WriteInt32LittleEndian(frame.AsSpan(12), reason.Length);
        reason.CopyTo(frame, 16);
        return frame;
    }
}
