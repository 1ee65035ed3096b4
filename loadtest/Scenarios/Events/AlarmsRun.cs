using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Loadtest.Machine;
using static System.FormattableString;

namespace Gateway.Loadtest.Scenarios.Events;

/// <summary>The parts with alarms: a burst to all clients, and refreshes of many clients at once.</summary>
internal sealed class AlarmsRun(RunContext run, EventsScenario scenario)
{
    private const double IntervalMs = 1000;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private static readonly NodeId ConditionType = new(StandardIds.ObjectTypes.ConditionType);
    private static readonly NodeId ConditionRefresh = new(3875);

    private int Alarms => run.Get(EventsScenario.Alarms);

    public async Task RunBurstAsync()
    {
        await using var gateway = await StartGatewayAsync();
        await using var beside = await SessionsBeside.StartAsync(gateway, run.Get(EventsScenario.Sessions), IntervalMs);
        var crowd = await StartAsync(gateway, run.Get(EventsScenario.Clients));
        await using var operatorSession = await gateway.Sessions.OpenAsync(run.Cancellation);
        await run.WaitAsync("burst: warm-up", run.Get(EventsScenario.WarmUp));
        await beside.BeginAsync();
        var meter = gateway.StartMeter();
        var start = TimeProvider.System.GetTimestamp();
        await SetAlarmsAsync(gateway, operatorSession, Alarms);
        var called = TimeProvider.System.GetElapsedTime(start);
        var isWhole = await crowd.WaitAsync("burst: alarms", static one => one.Alarms, Alarms);
        var window = meter.Stop();
        await beside.StopAsync();

        var column = Invariant($"burst, {Alarms:N0} alarms");
        Print(column, crowd, window, start);
        run.Report.Add("the call that makes them active", called.TotalMilliseconds, "ms");
        crowd.AddFaultsTo(run.Report);
        run.Report.AddFault(
            "alarms that did not arrive", isWhole ? 0 : crowd.Sum(one => Math.Max(0, Alarms - one.Alarms)));
        await beside.EndAsync();
        beside.AddTo(run.Report);
        await crowd.Pool.CloseAsync();
    }

    public async Task RunRefreshAsync()
    {
        await using var gateway = await StartGatewayAsync();
        await using var beside = await SessionsBeside.StartAsync(gateway, run.Get(EventsScenario.Sessions), IntervalMs);
        await using var operatorSession = await gateway.Sessions.OpenAsync(run.Cancellation);
        await SetAlarmsAsync(gateway, operatorSession, Alarms);
        var crowd = await StartAsync(gateway, run.Get(EventsScenario.Refreshers));
        await run.WaitAsync("refresh: warm-up", run.Get(EventsScenario.WarmUp));
        await beside.BeginAsync();
        crowd.Watchers.ForEach(static one => one.Forget());
        var meter = gateway.StartMeter();
        var start = TimeProvider.System.GetTimestamp();
        var refused = 0;
        await Task.WhenAll(crowd.Watchers.Select(async (one, number) =>
        {
            var status = await CallAsync(
                crowd.Pool.Sessions[number], ConditionType, ConditionRefresh, new Variant(one.Subscription!.Id));
            if (status.IsBad)
                Interlocked.Increment(ref refused);
        }));
        var isWhole = await crowd.WaitAsync("refresh: until the last one's end", static one => one.RefreshEnds, 1);
        var window = meter.Stop();
        await beside.StopAsync();

        var column = Invariant($"refresh, {Alarms:N0} conditions");
        Print(column, crowd, window, start);
        run.Report.AddFault("refreshes refused", refused);
        run.Report.AddFault("refreshes without an end", isWhole ? 0 : crowd.Watchers.Count(static one =>
            one.RefreshEnds == 0));
        run.Report.AddFault(
            "conditions missing", crowd.Sum(one => Math.Max(0, Alarms - one.Alarms)));
        crowd.AddFaultsTo(run.Report);
        await beside.EndAsync();
        beside.AddTo(run.Report);
        await crowd.Pool.CloseAsync();
    }

    private Task<RunContext> StartGatewayAsync() =>
        run.StartAnotherAsync(run.Options, scenario, scenario.WithAlarms(run.Values));

    private Task<EventCrowd> StartAsync(RunContext gateway, int count) => EventCrowd.StartAsync(
        gateway, count, IntervalMs, 1, _ => EventItem.OfAll((uint)(Alarms + 100)));

    private void Print(string column, EventCrowd crowd, Window window, long start)
    {
        var report = run.Report;
        var notifications = crowd.Sum(static one => one.Alarms);
        var last = crowd.LastSince(start);
        report.BeginColumn(column);
        report.Add("clients", crowd.Watchers.Count);
        report.Add("notifications", notifications);
        report.Add("notifications a second", notifications / window.Seconds, "/s");
        report.Add("server CPU a notification", 1e6 * window.ServerCpuSeconds / notifications, "µs");
        report.Add("server allocated a notification", window.ServerAllocatedBytes / notifications, "B");
        report.Add("until a client has the last one, p50", last.PercentileMs(0.5), "ms");
        report.Add("until the last client has the last one", last.MaximumMs, "ms");
        WindowRows.AddTo(report, window);
    }

    private async Task SetAlarmsAsync(RunContext gateway, ClientSession session, int count)
    {
        var plant = gateway.Sessions.Tag(0).NamespaceIndex;
        var status = await CallAsync(
            session, new NodeId("Methods", plant), new NodeId("SetAlarms", plant), new Variant((uint)count));
        if (status.IsBad)
            throw new InvalidOperationException($"the alarms could not be made active: {status}");
    }

    private async Task<StatusCode> CallAsync(ClientSession session, NodeId on, NodeId method, Variant input)
    {
        var response = await session.InvokeAsync<CallRequest, CallResponse>(
            new CallRequest
            {
                MethodsToCall = [new CallMethodRequest { ObjectId = on, MethodId = method, InputArguments = [input] }],
            },
            Patience, run.Cancellation);
        return response.Results![0].StatusCode;
    }
}
