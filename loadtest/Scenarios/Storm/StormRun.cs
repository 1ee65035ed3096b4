using Gateway.Codec.Types;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Machine;
using Gateway.Loadtest.Observers;
using Gateway.Loadtest.Scenarios.Soak;

namespace Gateway.Loadtest.Scenarios.Storm;

/// <summary>One storm upon one server: live sessions, the unloaded rate, the storm, the time after it.</summary>
internal sealed class StormRun(RunContext context, StormPlan plan)
{
    private const byte Network = 10;
    /// <summary>At most; a smaller storm needs no more than it has.</summary>
    private const int WarmUpClients = 1_500;
    private const double SettleSeconds = 3;

    /// <summary>By then a server has released all that it may keep for a moment.</summary>
    private static readonly TimeSpan LeavingTime = TimeSpan.FromSeconds(60);

    /// <summary>For all: a server that answers no more is left.</summary>
    private static readonly TimeSpan ClosingTime = TimeSpan.FromSeconds(60);

    private readonly TimeProvider _time = TimeProvider.System;

    public async Task<StormResult> RunAsync()
    {
        // Off the socket's thread, on which the context's last answer was awaited.
        await Task.Yield();
        context.Progress.Begin("making certificates");
        using var certificates = new CertificateSet(plan.AllCertificates, "storm");
        using var fleet = new ClientFleet(context.Sessions, certificates, Network);
        var tag = context.Sessions.Tag(0);
        await using var live = await LiveObserver.StartAsync(context, plan.Live);
        await ConnectSomeAsync(fleet, tag, Math.Min(WarmUpClients, plan.Clients), "warming both sides up");
        var (rate, unloaded) = await ConnectSomeAsync(fleet, tag, plan.Baseline, "the unloaded rate");
        await context.WaitAsync("letting the server settle", SettleSeconds);
        // The first request opens the server's HTTP state.
        using var metrics = new GatewayMetrics(context.HttpUrl);
        await metrics.PublishLatenessAsync(context.Cancellation);
        var before = await LevelsAsync();

        var field = new StormField();
        var silent = new SilentSockets(context.Url);
        var sampler = new StormSampler(field, context.Server);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        var late = await metrics.PublishLatenessAsync(context.Cancellation);
        await live.BeginAsync();
        silent.Start(plan.Silent, end.Token);
        var meter = context.StartMeter();
        var sampling = sampler.RunAsync(end.Token);
        var (launched, launchCpu) = await RageAsync(fleet, tag, field, end.Token);
        var storm = meter.Stop();
        var later = await metrics.PublishLatenessAsync(context.Cancellation);
        await live.StopAsync();
        await context.WaitAsync("all stay", plan.Hold.TotalSeconds);
        var allActive = (context.Server?.ResidentBytes() ?? double.NaN) / 1024 / 1024;
        await end.CancelAsync();
        await Task.WhenAll(sampling, silent.EndedAsync());
        await CloseAsync(field);
        var (after, seconds) = await AwaitLeavingAsync(before);
        return new StormResult
        {
            Plan = plan,
            UnloadedRate = rate,
            Unloaded = unloaded,
            Field = field,
            LaunchSeconds = launched,
            LaunchCpuSeconds = launchCpu,
            Storm = storm,
            Samples = sampler.Samples,
            SilentOpened = silent.Opened,
            Live = await live.EndAsync(),
            Before = before,
            After = after,
            AllActiveMiB = allActive,
            SecondsUntilBack = seconds,
            ServerLatenessP99Ms = 1000 * later.Percentile(0.99, late),
            ServerLatenessMaxMs = 1000 * later.Percentile(1, late),
        };
    }

    /// <summary>As many at a time as the run's concurrency; all stay until the last is there, then all go. Errors:
    /// InvalidOperationException where the server does not take them within the limit.</summary>
    private async Task<(double Rate, Window Window)> ConnectSomeAsync(
        ClientFleet fleet, NodeId tag, int count, string phase)
    {
        var field = new StormField();
        using var end = new CancellationTokenSource(plan.Limit);
        context.Progress.Begin(phase, count, () => field.Active);
        var options = new ParallelOptions
        {
            MaxDegreeOfParallelism = context.Options.Concurrency,
            CancellationToken = context.Cancellation,
        };
        var client = new StormClient(plan, field, fleet, tag, end.Token);
        var meter = context.StartMeter();
        await Parallel.ForAsync(0, count, options, async (number, _) => await client.RunAsync(
            number, plan.BaselineCertificateOf(number), obeys: true, isKnown: true, end.Token));
        var window = meter.Stop();
        await end.CancelAsync();
        await CloseAsync(field);
        return field.Arrivals.Length == count
            ? (count / window.Seconds, window)
            : throw new InvalidOperationException(
                $"{phase}: only {field.Arrivals.Length} of {count} clients became active within {plan.Limit}");
    }

    /// <returns>Until all had begun.</returns>
    private async Task<(double Seconds, double DriverCpuSeconds)> RageAsync(
        ClientFleet fleet, NodeId tag, StormField field, CancellationToken end)
    {
        context.Progress.Begin("storm: active", plan.Clients, () => field.Active);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(end);
        var client = new StormClient(plan, field, fleet, tag, end);
        var all = new Task[plan.Clients];
        using var driver = new ProcessProbe(Environment.ProcessId);
        var cpu = driver.CpuSeconds();
        for (var number = 0; number < all.Length; number++)
        {
            var due = plan.Within.TotalSeconds * number / all.Length;
            if (due > field.Now + 0.01)
                await Task.Delay(TimeSpan.FromSeconds(due - field.Now), end);
            all[number] = client.RunAsync(
                number, plan.CertificateOf(number), plan.Obeys(number), plan.IsKnown(number), limit.Token);
        }

        var launched = (field.Now, driver.CpuSeconds() - cpu);
        await Task.WhenAll(all).WaitAsync(plan.Limit, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        end.ThrowIfCancellationRequested();
        if (all.Any(task => !task.IsCompleted))
            await limit.CancelAsync();
        return launched;
    }

    private async Task CloseAsync(StormField field)
    {
        var closed = 0;
        context.Progress.Begin("closing sessions", field.Sessions.Count, () => Volatile.Read(ref closed));
        var options = new ParallelOptions { MaxDegreeOfParallelism = context.Options.Concurrency };
        using var patience = new CancellationTokenSource(ClosingTime);
        await Parallel.ForEachAsync(field.Sessions, options, async (session, _) =>
        {
            try
            {
                await session.CloseAsync(cancellation: patience.Token);
            }
            catch (OperationCanceledException)
            {
                // Left without an answer.
            }

            Interlocked.Increment(ref closed);
        });
    }

    private async Task<(ServerLevels Levels, double Seconds)> AwaitLeavingAsync(ServerLevels before)
    {
        var since = _time.GetTimestamp();
        while (true)
        {
            var now = await LevelsAsync();
            var left = now.Sessions > before.Sessions || now.Subscriptions > before.Subscriptions ||
                now.Descriptors > before.Descriptors + StormReport.SpareDescriptors;
            var seconds = _time.GetElapsedTime(since);
            if (!left || seconds > LeavingTime)
                return (now, seconds.TotalSeconds);
            await context.WaitAsync("what the storm left has to go", 1);
        }
    }

    /// <summary>By a session of its own, which counts as one each time; a server that takes none does not tell.
    /// </summary>
    private async Task<ServerLevels> LevelsAsync()
    {
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        patience.CancelAfter(plan.Patience);
        try
        {
            await using var session = await context.Sessions.OpenAsync(patience.Token);
            return await ServerLevels.ReadAsync(context, session);
        }
        catch (Exception) when (!context.Cancellation.IsCancellationRequested)
        {
            return await ServerLevels.ReadAsync(context, null);
        }
        finally
        {
            await Task.Yield();
        }
    }
}
