using System.Globalization;
using Gateway.Client;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Scenarios.Echo;

/// <summary>One run: a server a setting, a session a cell.</summary>
internal sealed class EchoRun(RunContext run, EchoScenario scenario)
{
    private const int Unknown = -1;

    /// <summary>Below the send queues of both sides: more at once would be a test of their limits.</summary>
    private const int MostUnderWayBytes = 8_000_000;

    private const int LargeWarmUpBytes = 200_000;

    private static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(4);
    private static readonly TimeSpan LargeWarmUp = TimeSpan.FromSeconds(1);

    private readonly int[] _payloads = Numbers(run, EchoScenario.Payloads);
    private readonly int[] _depths = Numbers(run, EchoScenario.Depths);
    private readonly string[] _policies = EchoScenario.PoliciesOf(run.Values);
    private readonly TimeSpan _length = TimeSpan.FromMilliseconds(run.Get(EchoScenario.CellMs));
    private readonly List<EchoCell> _cells = [];

    public async Task RunAsync()
    {
        var isOurs = run.Options.Url is null;
        foreach (var chunk in isOurs ? Numbers(run, EchoScenario.Chunks) : [Unknown])
        {
            foreach (var batch in isOurs ? Numbers(run, EchoScenario.Batches) : [Unknown])
                await MeasureServerAsync(batch, chunk);
        }

        foreach (var refused in _cells.Where(cell => cell.Refusal.Length > 0))
            run.Report.Fail(string.Create(
                CultureInfo.InvariantCulture,
                $"{refused.Policy}, {refused.PayloadBytes} B, batch {refused.BatchBytes}: {refused.Refusal}"));
        foreach (var policy in _policies)
            run.Report.Tables.Add(EchoTable.Of(policy, _cells.Where(cell => cell.Policy == policy)));
        EchoTable.AddRows(run.Report, _cells);
    }

    /// <summary>One server for all policies: the first starts it, the others find it.</summary>
    private async Task MeasureServerAsync(int batch, int chunk)
    {
        var first = run.Options with { Policy = _policies[0], Mode = ModeOf(_policies[0]) };
        if (batch != Unknown)
        {
            first = first with
            {
                GatewayArguments =
                [
                    .. run.Options.GatewayArguments, $"--Limits:SendBatchBytes={Math.Max(1, batch)}",
                    $"--Limits:SendBufferSizeBytes={chunk}", $"--Limits:ReceiveBufferSizeBytes={chunk}",
                ],
            };
        }

        await using var server = await run.StartAnotherAsync(first, scenario);
        await WarmUpAsync(server);
        await MeasurePolicyAsync(server, _policies[0], batch, chunk);
        foreach (var policy in _policies[1..])
        {
            await using var context =
                await server.ShareAsync(first with { Policy = policy, Mode = ModeOf(policy) });
            await MeasurePolicyAsync(context, policy, batch, chunk);
        }
    }

    /// <summary>The JIT work of a server that was just started is not a cost of a call.</summary>
    private async Task WarmUpAsync(RunContext context)
    {
        run.Progress.BeginSeconds("warming the server up", WarmUp.TotalSeconds);
        await using var session = await context.Sessions.OpenAsync(run.Cancellation);
        var caller = Caller(context, session);
        await caller.RunAsync(_payloads[0], 8, WarmUp - LargeWarmUp, run.Cancellation);
        await caller.RunAsync(LargeWarmUpBytes, 1, LargeWarmUp, run.Cancellation);
    }

    private EchoCaller Caller(RunContext context, ClientSession session) => new(
        session,
        context.Sessions.Node(run.Get(EchoScenario.Folder), "--object"),
        context.Sessions.Node(run.Get(EchoScenario.Method), "--method"));

    private async Task MeasurePolicyAsync(RunContext context, string policy, int batch, int chunk)
    {
        foreach (var payload in _payloads)
        {
            foreach (var depth in _depths)
            {
                if (depth > 1 && (long)depth * payload > MostUnderWayBytes)
                    continue;
                run.Progress.Begin($"echo {policy}, batch {batch}, chunk {chunk}: {payload} B, {depth} under way");
                var cell = new EchoCell
                {
                    Policy = policy,
                    PayloadBytes = payload,
                    BatchBytes = batch,
                    ChunkBytes = chunk,
                    Depth = depth,
                };
                _cells.Add(await MeasureCellAsync(context, cell));
            }
        }
    }

    /// <summary>A session of its own for each: a message that is refused may end the connection.</summary>
    private async Task<EchoCell> MeasureCellAsync(RunContext context, EchoCell cell)
    {
        try
        {
            await using var session = await context.Sessions.OpenAsync(run.Cancellation);
            var caller = Caller(context, session);
            await caller.RunAsync(cell.PayloadBytes, cell.Depth, _length / 4, run.Cancellation);

            using var systemCalls = SystemCalls.Start(context.Server?.ProcessId ?? 0);
            var meter = context.StartMeter();
            var calls = await caller.RunAsync(cell.PayloadBytes, cell.Depth, _length, run.Cancellation);
            var window = meter.Stop();
            return cell with
            {
                Calls = calls,
                Seconds = caller.Seconds,
                MedianUs = caller.Percentile(0.5),
                P99Us = caller.Percentile(0.99),
                ServerCpuUs = 1e6 * window.ServerCpuSeconds / calls,
                DriverCpuUs = 1e6 * window.DriverCpuSeconds / calls,
                AllocatedBytes = window.ServerAllocatedBytes / calls,
                SystemCalls = await systemCalls.StopAsync() / calls,
            };
        }
        catch (ServiceException refused)
        {
            return cell with { Refusal = refused.Message };
        }
    }

    private static string ModeOf(string policy) => policy == "None" ? "None" : "SignAndEncrypt";

    private static int[] Numbers(RunContext run, System.CommandLine.Option<string> option) =>
        NumberList.TryParse(run.Get(option), 0, int.MaxValue)!;
}
