using System.Net.Sockets;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks.Certificates;

/// <summary>OPNs of one certificate that the gateway accepts (with <c>--demo</c> any), with bytes of the attacker's own
/// choice behind it. The header is signed along with the rest, so that no signature fits and nothing is ever proven.
/// </summary>
internal abstract class CertificateAttack : Attack
{
    private const int AtATime = 64;
    private const int Addresses = 20;
    private const byte FleetNetwork = 201;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    protected abstract int CountOf(AttackContext context);

    /// <summary>SenderCertificate of the OPN of that number.</summary>
    /// <param name="leaf">Of the client that the OPN was recorded from.</param>
    /// <param name="number">From 0.</param>
    protected abstract byte[] ChainOf(byte[] leaf, int number);

    public override async Task RunAsync(AttackContext context)
    {
        using var certificates = new CertificateSet(1, Name);
        using var fleet = new ClientFleet(context.Run.Sessions, certificates, FleetNetwork);
        var opening = await RecordedOpening.RecordAsync(
            fleet.NewClient(0, 0), context.Run.Sessions.Endpoint, context.Cancellation);
        var target = new WireTarget(context.Run.Url);
        var leaf = certificates[0].Der;
        var count = CountOf(context);
        var memory = new MemoryPeak(context.Server);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        var watching = memory.RunAsync(end.Token);
        var answered = 0;
        var next = -1;
        var since = TimeProvider.System.GetTimestamp();
        await Task.WhenAll(Enumerable.Range(0, AtATime).Select(_ => WorkAsync()));
        await end.CancelAsync();
        await watching;

        context.Report.Add("OPNs", count);
        context.Report.Add("refused by Bad_SecurityChecksFailed", answered);
        context.Report.Add("OPNs a second", count / TimeProvider.System.GetElapsedTime(since).TotalSeconds);
        context.Report.Add("memory for them", memory.GrowthBytes / 1024 / 1024, "MiB");
        if (answered < count / 2)
            context.Report.Fail("fewer than half of the OPNs were looked at: the attack did not take place");

        async Task WorkAsync()
        {
            int number;
            while ((number = Interlocked.Increment(ref next)) < count)
            {
                context.Cancellation.ThrowIfCancellationRequested();
                if (await OneAsync(target, opening.With(ChainOf(leaf, number)), number))
                    Interlocked.Increment(ref answered);
            }
        }
    }

    private static async Task<bool> OneAsync(WireTarget target, byte[] open, int number)
    {
        using var limit = new CancellationTokenSource(Patience);
        Socket? socket = null;
        try
        {
            socket = await target.ConnectAsync(number % Addresses, limit.Token);
            await WireFrame.SendAsync(socket, target.Hello, limit.Token);
            if (await WireFrame.ReadAsync(socket, limit.Token) is not { Type: "ACK" })
                return false;
            await WireFrame.SendAsync(socket, open, limit.Token);
            var answer = await WireFrame.ReadAsync(socket, limit.Token);
            return answer.Refusal().Contains("SecurityChecksFailed", StringComparison.Ordinal);
        }
        catch (Exception gone) when (gone is SocketException or OperationCanceledException or InvalidDataException)
        {
            return false;
        }
        finally
        {
            if (socket is not null)
                WireTarget.Reset(socket);
        }
    }
}
