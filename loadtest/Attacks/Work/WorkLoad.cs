using Gateway.Client;

namespace Gateway.Loadtest.Attacks.Work;

/// <summary>Connections that ask again and again until the time is over, and count the outcomes.</summary>
internal static class WorkLoad
{
    private const int Connections = 4;

    /// <summary>Attackers wait for their answers for as long as it takes.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    /// <param name="context">Of the attack.</param>
    /// <param name="time">From the first request to the last one's beginning.</param>
    /// <param name="ask">One request; the number counts up on each connection.</param>
    public static async Task RunAsync(
        AttackContext context, TimeSpan time, Func<ClientSession, int, CancellationToken, Task> ask)
    {
        var since = TimeProvider.System.GetTimestamp();
        var asked = await Task.WhenAll(
            Enumerable.Range(0, Connections).Select(_ => LoopAsync(context, since, time, ask)));
        context.Report.Add("requests of the attackers", asked.Sum(one => one.Answered));
        context.Report.Add("of them refused", asked.Sum(one => one.Refused));
        context.Report.Add("slowest of them", asked.Max(one => one.SlowestMs), "ms");
        context.Report.AddFault("attackers that were not served", asked.Count(one => one.Answered == 0));
    }

    private static async Task<(int Answered, int Refused, double SlowestMs)> LoopAsync(
        AttackContext context, long since, TimeSpan time, Func<ClientSession, int, CancellationToken, Task> ask)
    {
        await using var session = await context.Run.Sessions.OpenAsync(context.Cancellation);
        var (answered, refused, slowest) = (0, 0, 0.0);
        for (var number = 0; TimeProvider.System.GetElapsedTime(since) < time; number++)
        {
            var began = TimeProvider.System.GetTimestamp();
            using var patience = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
            patience.CancelAfter(Patience);
            try
            {
                await ask(session, number, patience.Token);
            }
            catch (ServiceException)
            {
                refused++;
            }

            answered++;
            slowest = Math.Max(slowest, TimeProvider.System.GetElapsedTime(began).TotalMilliseconds);
        }

        return (answered, refused, slowest);
    }
}
