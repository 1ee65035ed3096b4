using System.Diagnostics;
using System.Globalization;
using Gateway.Client;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks.Hoards;

/// <summary>One client, from one address, takes all that it can get over a number of channels, leaves them, and
/// newcomers come: more than the reserve holds. Time-outs are short here, so that the hoard goes within the time of an
/// attack; the newcomers come long before.</summary>
internal abstract class HoardAttack : Attack
{
    private const int AtATime = 16;
    private const int HoardSeconds = 25;
    private const int Certificates = 50;
    private const double MostSeconds = 1;
    private const byte NewcomerNetwork = 203;

    public override string Rules => "R46, R07, R09";

    /// <summary>The name and value of the gateway's cap.</summary>
    protected abstract string Cap(AttackSize size);

    /// <summary>Channels of the attacker.</summary>
    protected abstract int Channels(AttackSize size);

    /// <summary>Newcomers, one after the other, all of which stay.</summary>
    protected abstract int Newcomers(AttackSize size);

    /// <summary>As much as one channel can hold.</summary>
    protected abstract Task HoardAsync(Hoarder hoarder);

    /// <summary>Serves a newcomer after its session.</summary>
    protected abstract Task ServeAsync(ClientSession session, CancellationToken cancellation);

    protected abstract int HeldBy(Hoarder hoarder);

    public override Plant PlantOf(AttackSize size) => new()
    {
        Arguments =
        [
            Cap(size),
            string.Create(CultureInfo.InvariantCulture, $"--Limits:MaxSessionTimeout=00:00:{HoardSeconds}"),
            string.Create(CultureInfo.InvariantCulture, $"--Limits:MaxSubscriptionLifetimeMs={HoardSeconds * 1000}"),
            string.Create(CultureInfo.InvariantCulture, $"--Limits:MaxKeepAliveIntervalMs={HoardSeconds * 1000 / 3}"),
        ],
    };

    public override async Task RunAsync(AttackContext context)
    {
        using var certificates = new CertificateSet(Math.Min(Certificates, Newcomers(context.Size)), "newcomer");
        using var hoarders = new ClientFleet(context.Run.Sessions, certificates, WireTarget.Network);
        var since = Stopwatch.GetTimestamp();
        var held = await HoardAllAsync(context, hoarders);
        context.Report.Add("taken by the hoarder", held);
        context.Report.Add("time to hoard", Stopwatch.GetElapsedTime(since).TotalSeconds, "s");

        using var fleet = new ClientFleet(context.Run.Sessions, certificates, NewcomerNetwork);
        var crowd = new NewcomerCrowd(context.Run, fleet, certificates.Count);
        await crowd.ComeAsync(Newcomers(context.Size), ServeAsync);
        await crowd.LeaveAsync();

        context.Report.Add("newcomers after the hoarder", crowd.Served);
        context.Report.Add("slowest newcomer", crowd.SlowestSeconds, "s");
        context.Report.AddFault("newcomers refused", crowd.Refused);
        if (crowd.FirstRefusal is { } text)
            context.Report.Note($"the first newcomer that was refused: {text}");
        if (context.IsFull && crowd.SlowestSeconds > MostSeconds)
            context.Report.Fail("a newcomer needed more than a second");
    }

    private async Task<int> HoardAllAsync(AttackContext context, ClientFleet fleet)
    {
        var held = 0;
        var client = fleet.NewClient(0, 0);
        List<Hoarder> all = [];
        var options = new ParallelOptions
        {
            MaxDegreeOfParallelism = AtATime,
            CancellationToken = context.Cancellation,
        };
        await Parallel.ForAsync(0, Channels(context.Size), options, async (_, cancellation) =>
        {
            var channel = await HoardChannel.OpenAsync(client, context.Run.Url, cancellation);
            var hoarder = new Hoarder(channel, cancellation);
            lock (all)
                all.Add(hoarder);
            await HoardAsync(hoarder);
            Interlocked.Add(ref held, HeldBy(hoarder));
        });
        foreach (var hoarder in all)
            hoarder.Dispose();
        return held;
    }
}
