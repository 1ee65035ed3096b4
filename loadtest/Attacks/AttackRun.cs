using System.Globalization;
using Gateway.Loadtest.Machine;
using Gateway.Loadtest.Observers;
using Gateway.Loadtest.Reports;
using Gateway.Loadtest.Scenarios.Abuse;
using Gateway.Loadtest.Scenarios.Soak;

namespace Gateway.Loadtest.Attacks;

/// <summary>One attack from a settled gateway to a settled gateway, and the checks that hold for each of them: the
/// meaning of "survives" in docs/rules.md.</summary>
internal sealed class AttackRun(RunContext outer, AttackScenario scenario, Attack attack, AttackSize size)
{
    private const double MiB = 1024 * 1024;
    private const double MostReadMs = 50;
    private const int MostNewcomerMs = 1000;
    private const double MostGrowth = 1.10;

    /// <summary>The allowed excess after a small attack: it ends before the heap has its size, and a busy machine
    /// collects released memory later.</summary>
    private const double SmallSpareMiB = 128;

    private const int ItemsOfGoodClient = 10;
    private const double IntervalOfGoodClientMs = 100;
    private const double SettleSeconds = 3;

    /// <summary>The time that the rules give a server after the abuser left; small runs share their cores with other
    /// tests.
    /// </summary>
    private readonly double _backWithinSeconds = size == AttackSize.Full ? 30 : 60;

    private bool IsFull => size == AttackSize.Full;

    public async Task RunAsync()
    {
        await attack.PrepareAsync(size, outer.Cancellation);
        var plant = attack.PlantOf(size);
        await using var run = await outer.StartAnotherAsync(outer.Options, scenario, plant);
        await using var live = await LiveObserver.StartAsync(run, new LiveSettings
        {
            Run = run.Options,
            Sessions = run.Get(AttackScenario.Live),
            Items = ItemsOfGoodClient,
            IntervalMs = IntervalOfGoodClientMs,
            SettleSeconds = SettleSeconds,
            ReadEveryMs = run.Get(AttackScenario.ReadEvery),
            NewcomerEveryMs = run.Get(AttackScenario.Newcomer),
        });
        await using var control = await run.Sessions.OpenAsync(run.Cancellation);
        await run.WaitAsync("before the attack", SettleSeconds);
        var before = await ServerLevels.ReadAsync(run, control);
        var since = TimeProvider.System.GetTimestamp();
        var logBefore = run.LogBytes;
        await live.BeginAsync();
        var meter = run.StartMeter();

        using var peak = new CancellationTokenSource();
        var memory = new MemoryPeak(run.Server);
        var watching = memory.RunAsync(peak.Token);
        run.Progress.Begin($"attack {attack.Name}");
        await attack.RunAsync(new AttackContext(run, size));
        await peak.CancelAsync();
        await watching;

        var window = meter.Stop();
        await live.StopAsync();
        if (run.Server is not { IsAlive: true })
        {
            run.Report.Fail($"{attack.Name} ended the gateway's process");
            return;
        }

        var minutes = Math.Max(1, TimeProvider.System.GetElapsedTime(since).TotalMinutes);
        run.Report.Add("attack lasted", window.Seconds, "s");
        run.Report.Add("server CPU", window.ServerCores, "cores");
        run.Report.Add("driver CPU", window.DriverCores, "cores");
        run.Report.Add("server memory at its peak", (memory.GrowthBytes / MiB) + before.ResidentMiB, "MiB");
        CheckLog(run, logBefore, minutes);
        await CheckBackAsync(run, control, before);
        CheckGoodClient(run.Report, await live.EndAsync());
    }

    private void CheckGoodClient(Report report, LiveResult result)
    {
        result.AddTo(report);
        if (!(result.Reads.Messages > 0))
            report.Fail("the good sessions read nothing");
        if (!IsFull)
            return;
        var scale = MachineScale.Of(report.SignaturesPerSecond);
        report.Add("allowed times: those of the rules, for this machine", scale, "times");
        var mostReadMs = scale * MostReadMs;
        if (result.Reads.P99Ms > mostReadMs)
            report.Fail(Text($"Read p99 of the good sessions {result.Reads.P99Ms:0.0} ms, more than {mostReadMs:0.0}"));
        NewcomerCheck.AddTo(report, result, (int)(scale * MostNewcomerMs));
    }

    private static void CheckLog(RunContext run, long logBefore, double minutes)
    {
        var logged = (run.LogBytes - logBefore) / MiB / minutes;
        run.Report.Add("log a minute", logged, "MiB");
        run.Report.AddFault("stack traces in the log", run.LogStackTraces);
        run.Report.AddFault("log lines with control characters", run.LogControlLines);
        if (logged > 1)
            run.Report.Fail(Text($"{logged:0.00} MiB of log a minute, more than 1"));
    }

    /// <summary>Until all that the attacker left behind is gone, or the time for it is over. A subscription may live on
    /// for as long as it was promised: memory has its time from when the last one is gone.</summary>
    private async Task CheckBackAsync(RunContext run, Client.ClientSession control, ServerLevels before)
    {
        run.Progress.Begin("what the attacker left has to go");
        var (now, seconds) = await ServerLevels.AwaitAsync(
            run, control, levels => AreCountsBack(levels, before), _backWithinSeconds);
        var report = run.Report;
        report.Add("time until that was gone", seconds, "s");
        report.AddFault("sessions left behind", Left(now.Sessions, before.Sessions));
        report.AddFault("subscriptions left behind", Left(now.Subscriptions, before.Subscriptions));
        report.AddFault("descriptors left behind", Left(now.Descriptors, before.Descriptors + SpareDescriptors));

        (now, seconds) = await ServerLevels.AwaitAsync(
            run, control, levels => IsMemoryBack(levels, before), _backWithinSeconds);
        report.Add("time until memory was back", seconds, "s");
        report.Add("server memory before", before.ResidentMiB, "MiB");
        report.Add("server memory after", now.ResidentMiB, "MiB");
        if (!IsMemoryBack(now, before))
            report.Fail(Text(
                $"memory {before.ResidentMiB:0} MiB before, {now.ResidentMiB:0} {_backWithinSeconds} s after"));
    }

    private static bool AreCountsBack(ServerLevels now, ServerLevels before) =>
        !(now.Sessions > before.Sessions || now.Subscriptions > before.Subscriptions ||
            now.Descriptors > before.Descriptors + SpareDescriptors);

    private bool IsMemoryBack(ServerLevels now, ServerLevels before) =>
        now.ResidentMiB <= (before.ResidentMiB * MostGrowth) + (IsFull ? 0 : SmallSpareMiB);

    /// <summary>Files and threads that the runtime opens once.</summary>
    private const int SpareDescriptors = 8;

    private static long Left(double now, double before) => now > before ? (long)(now - before) : 0;

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
