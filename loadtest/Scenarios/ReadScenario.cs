using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Loadtest.Scenarios;

/// <summary>Reads of one value, one after the other on each session: what one costs the server.</summary>
internal sealed class ReadScenario(RunContext context)
{
    public async Task RunAsync()
    {
        var report = context.Report;
        var pool = new SessionPool(context);
        await pool.OpenAsync(Math.Min(context.Options.Sessions, 64));
        await ReadAllAsync(pool, TimeSpan.FromSeconds(1));
        var cpu = context.ServerCpuSeconds;
        var driverCpu = context.Driver.CpuSeconds();
        var reads = await ReadAllAsync(pool, TimeSpan.FromSeconds(context.Options.Seconds));
        cpu = context.ServerCpuSeconds - cpu;
        driverCpu = context.Driver.CpuSeconds() - driverCpu;
        var sessions = pool.Sessions.Count;
        await pool.CloseAsync();
        var idle = await context.ServerIdleCpuAsync();
        report.Add("sessions", sessions, string.Empty);
        report.Add("reads", reads, string.Empty);
        report.Add("reads a second", reads / (double)context.Options.Seconds, "/s");
        report.Add("server CPU a Read", 1e6 * (cpu - (idle * context.Options.Seconds)) / reads, "µs");
        report.Add("driver CPU a Read", 1e6 * driverCpu / reads, "µs");
        report.Add("server CPU idle (taken off)", 100 * idle, "% of a core");
        report.AddFault("sessions refused", pool.Failed);
    }

    private async Task<long> ReadAllAsync(SessionPool pool, TimeSpan time)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        end.CancelAfter(time);
        var tag = context.Sessions.Tag(0);
        var counts = await Task.WhenAll(pool.Sessions.Select(session => ReadAsync(session, tag, end.Token)));
        return counts.Sum();
    }

    private static async Task<long> ReadAsync(ClientSession session, NodeId tag, CancellationToken end)
    {
        var request = new ReadRequest
        {
            TimestampsToReturn = TimestampsToReturn.Both,
            NodesToRead = [new ReadValueId { NodeId = tag, AttributeId = (uint)AttributeId.Value }],
        };
        long count = 0;
        for (; !end.IsCancellationRequested; count++)
        {
            var response = await session.InvokeAsync<ReadRequest, ReadResponse>(request, CancellationToken.None);
            if (response.Results is not [{ Status.IsGood: true }])
                throw new InvalidOperationException($"the Read failed: {response.Results?[0].Status}");
        }

        return count;
    }
}
