using System.Globalization;
using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Machine;
using Gateway.Loadtest.Observers;
using Gateway.Loadtest.Reports;
using Gateway.Loadtest.Scenarios.Soak;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>One state after the other, each from a settled server to a settled server.</summary>
internal sealed class ChurnRun(RunContext run) : IDisposable
{
    private const byte ClientNetwork = 201;
    private const int Addresses = 50;
    private const int Certificates = 20;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(15);

    private readonly WireTarget _target = new(run.Url);
    private readonly CertificateSet _certificates = new(Certificates, "churn");
    private readonly ReportTable _table = new(
        "Each state",
        [
            "gone when", "connections", "came so far", "server CPU each, ms", "back after, s", "descriptors left",
            "sessions left", "subscriptions left", "memory MiB",
        ]);

    private double _idleCores;
    private int _left;

    public async Task RunAsync()
    {
        await using var live = await LiveObserver.StartAsync(
            run, new LiveSettings { Run = run.Options, Sessions = run.Get(ChurnScenario.Live), SettleSeconds = 3 });
        using var fleet = new ClientFleet(run.Sessions, _certificates, ClientNetwork);
        await using var control = await run.Sessions.OpenAsync(run.Cancellation);
        var opening = await RecordedOpening.RecordAsync(
            fleet.NewClient(0, 0), run.Sessions.Endpoint, run.Cancellation);
        await live.BeginAsync();
        var first = await ServerLevels.ReadAsync(run, control);
        _idleCores = (await run.MeasureAsync("the server without visitors", 3)).ServerCores;
        foreach (var point in HandshakePoint.All)
            await RunPointAsync(point, fleet, opening, control);
        var last = await ServerLevels.ReadAsync(run, control);
        run.Report.Tables.Add(_table);
        run.Report.Add("connections", _table.Rows.Sum(row => double.Parse(row[1], CultureInfo.InvariantCulture)));
        run.Report.AddFault("states after which something stayed", _left);
        run.Report.Add("memory before", first.ResidentMiB, "MiB");
        run.Report.Add("memory after", last.ResidentMiB, "MiB");
        if (last.ResidentMiB - first.ResidentMiB > run.Get(ChurnScenario.Memory))
            run.Report.Fail(string.Create(
                CultureInfo.InvariantCulture, $"memory grew by {last.ResidentMiB - first.ResidentMiB:0} MiB"));
        (await live.EndAsync()).AddTo(run.Report);
    }

    public void Dispose() => _certificates.Dispose();

    private async Task RunPointAsync(
        HandshakePoint point, ClientFleet fleet, RecordedOpening opening, ClientSession control)
    {
        var seconds = run.Get(ChurnScenario.Seconds);
        var before = await ServerLevels.ReadAsync(run, control);
        run.Progress.BeginSeconds($"gone when: {point.Name}", seconds);
        var pace = new Pace(run.Get(ChurnScenario.Rate), run.Get(ChurnScenario.AtATime), TimeProvider.System);
        var meter = run.StartMeter();
        var reached = 0;
        if (point.Sent < 3 && point.Answered < 3)
        {
            var knock = new Knock(_target, opening, point);
            await pace.RunAsync(seconds, number => knock.RunAsync(number % Addresses, Patience), run.Cancellation);
            reached = knock.Reached;
        }
        else
        {
            using var relay = new HandshakeRelay(_target, point, holds: false, Addresses);
            await pace.RunAsync(seconds, number => VisitAsync(fleet, relay, number), run.Cancellation);
            reached = relay.Reached;
        }

        var window = meter.Stop();
        run.Progress.Begin("what was left has to go");
        var (after, back) = await ServerLevels.AwaitAsync(
            run, control,
            now => !(now.Sessions > before.Sessions || now.Subscriptions > before.Subscriptions ||
                now.Descriptors > before.Descriptors),
            run.Get(ChurnScenario.Back));
        var left = new[]
        {
            after.Descriptors - before.Descriptors, after.Sessions - before.Sessions,
            after.Subscriptions - before.Subscriptions,
        };
        _left += left.Any(count => count > 0) ? 1 : 0;
        _table.Rows.Add(
        [
            point.Name, Text(pace.Begun, "0"), Text(reached, "0"),
            CpuEach(window, pace.Begun), Text(back, "0.0"),
            Text(left[0], "0"), Text(left[1], "0"), Text(left[2], "0"), Text(after.ResidentMiB, "0.0"),
        ]);
    }

    private async Task VisitAsync(ClientFleet fleet, HandshakeRelay relay, int number)
    {
        using var patience = new CancellationTokenSource(Patience);
        try
        {
            var client = fleet.NewClient(number % Addresses, number % Certificates);
            var session = await client.ConnectAsync(
                run.Sessions.Endpoint, run.Sessions.Settings() with { EndpointUrl = relay.Url }, patience.Token);
            try
            {
                await session.CreateSubscriptionAsync(
                    new SubscriptionSettings { PublishingIntervalMs = 100, LifetimeCount = 30 },
                    new IgnoredValues(),
                    patience.Token);
            }
            finally
            {
                session.Abort();
            }
        }
        catch (Exception over) when (over is ServiceException or OperationCanceledException)
        {
            // As it has to be: the wire was cut.
        }
    }

    /// <summary>Less the load of the server and its plant alone.</summary>
    private string CpuEach(Window window, int count) => Text(
        1000 * (window.ServerCpuSeconds - (_idleCores * window.Seconds)) / Math.Max(1, count), "0.00");

    private static string Text(double value, string format) =>
        double.IsFinite(value) ? value.ToString(format, CultureInfo.InvariantCulture) : "n/a";
}
