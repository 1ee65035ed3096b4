using System.Text.Json;
using Gateway.Client;
using Gateway.Codec.Types;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Machine;
using Gateway.Loadtest.Scenarios;

namespace Gateway.Loadtest.Observers;

/// <summary>
/// The live observer's own process: sessions with a subscription each, whose every notification is checked, and
/// newcomers. It is led by lines: settings as JSON, then "begin" and "stop", for each measurement, and "end"; it
/// answers "@ready n", "@begun", "@stopped JSON" and "@result JSON". An end of its input ends it.
/// </summary>
internal sealed class LiveWorker(LiveSettings settings, TextReader input, TextWriter output) : IDisposable
{
    public const string Command = "live-observer";

    private const int OpeningAtATime = 16;
    private const double ChangeMs = 1000;
    private const byte SessionsNetwork = 100;
    private const byte NewcomersNetwork = 101;
    private const int NewcomerCertificates = 8;

    private static readonly TimeSpan OpeningPatience = TimeSpan.FromSeconds(30);

    /// <summary>For all: a server that answers no more is left.</summary>
    private static readonly TimeSpan ClosingTime = TimeSpan.FromSeconds(30);

    private readonly TimeProvider _time = TimeProvider.System;
    private readonly Recorder _recorder = new() { Series = new LatenessSeries() };
    private readonly List<ClientSession> _sessions = [];
    private readonly List<Watcher> _watchers = [];
    private readonly CertificateSet _certificates = new(Math.Max(1, settings.Certificates), "live");
    private readonly CertificateSet _newcomers = new(NewcomerCertificates, "newcomer");
    private readonly LiveReads _reads = new();
    private string _firstLoss = string.Empty;

    public static async Task<int> RunAsync(TextReader input, TextWriter output, CancellationToken cancellation)
    {
        try
        {
            var text = await input.ReadLineAsync(cancellation);
            var settings = JsonSerializer.Deserialize<LiveSettings>(text ?? "null", LiveJson.Options) ??
                throw new InvalidOperationException("no settings on the standard input");
            using var worker = new LiveWorker(settings, input, output);
            await worker.RunAsync(cancellation);
            return 0;
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            await output.WriteLineAsync("@failed " + exception.Message.ReplaceLineEndings(" "));
            return 2;
        }
    }

    public void Dispose()
    {
        _certificates.Dispose();
        _newcomers.Dispose();
    }

    private async Task RunAsync(CancellationToken cancellation)
    {
        var options = settings.Run with { Password = settings.Password };
        using var sessions = await SessionFactory.CreateAsync(options, options.Url!, cancellation);
        using var fleet = new ClientFleet(sessions, _certificates, SessionsNetwork);
        using var newcomers = new ClientFleet(sessions, _newcomers, NewcomersNetwork);
        _recorder.Part = MeasurePart.Opening;
        await OpenAsync(sessions, fleet, cancellation);
        _recorder.Part = MeasurePart.Settling;
        await Task.Delay(TimeSpan.FromSeconds(settings.SettleSeconds), cancellation);
        await output.WriteLineAsync($"@ready {_sessions.Count}");
        var measured = new LiveMeasured([], 0);
        for (var line = await input.ReadLineAsync(cancellation); line != "end";
            line = await input.ReadLineAsync(cancellation))
        {
            if (line != "begin" || await MeasureAsync(sessions, newcomers, cancellation) is not { } next)
                return;
            measured = next;
        }

        var result = ResultOf(await CountSilentAsync(cancellation), measured);
        await CloseAsync();
        await output.WriteLineAsync("@result " + JsonSerializer.Serialize(result, LiveJson.Options));
    }

    /// <summary>Null: the input has ended.</summary>
    private async Task<LiveMeasured?> MeasureAsync(
        SessionFactory sessions, ClientFleet newcomers, CancellationToken cancellation)
    {
        using var probe = new ProcessProbe(Environment.ProcessId);
        var cpu = probe.CpuSeconds();
        var start = _time.GetTimestamp();
        _recorder.Series!.Start(1000.0 * start / _time.TimestampFrequency);
        _recorder.Part = MeasurePart.First;
        using var end = new CancellationTokenSource();
        var coming = settings.NewcomerEveryMs > 0
            ? new NewcomerProbe(newcomers, settings, start).RunAsync(NewcomerCertificates, end.Token)
            : Task.FromResult<Newcomer[]>([]);
        var reading = _reads.RunAsync(_sessions, sessions.Tag(0), settings.ReadEveryMs, end.Token);
        await output.WriteLineAsync("@begun");
        if (await input.ReadLineAsync(cancellation) != "stop")
            return null;
        _recorder.Part = MeasurePart.Settling;
        var cores = (probe.CpuSeconds() - cpu) / _time.GetElapsedTime(start).TotalSeconds;
        await end.CancelAsync();
        var came = await coming;
        await reading;
        var lateness = JsonSerializer.Serialize(SecondOf(_recorder.Series.All), LiveJson.Options);
        await output.WriteLineAsync($"@stopped {lateness}");
        return new LiveMeasured(came, cores);
    }

    private async Task OpenAsync(SessionFactory sessions, ClientFleet fleet, CancellationToken cancellation)
    {
        var tags = await FindTagsAsync(sessions, cancellation);
        var limit = new ParallelOptions
        {
            MaxDegreeOfParallelism = OpeningAtATime,
            CancellationToken = cancellation,
        };
        await Parallel.ForAsync(0, settings.Sessions, limit, async (number, stop) =>
        {
            var client = fleet.NewClient(number % Math.Max(1, settings.Addresses), number % _certificates.Count);
            var session = await ConnectAsync(fleet, client, stop);
            var watcher = new Watcher(settings.Items, _recorder);
            await watcher.StartAsync(
                session, TagSlice.Of(tags, (long)number * settings.Items, settings.Items), settings.IntervalMs, stop);
            _ = NoteLossAsync(session);
            lock (_sessions)
            {
                _sessions.Add(session);
                _watchers.Add(watcher);
            }
        });
    }

    /// <summary>Before the storm a server may still ask for patience.</summary>
    private static async Task<ClientSession> ConnectAsync(
        ClientFleet fleet, UaClient client, CancellationToken cancellation)
    {
        for (var tries = 1; ; tries++)
        {
            var attempt = await ConnectAttempt.RunAsync(fleet, client, OpeningPatience, cancellation);
            if (attempt.Session is { } session)
                return session;
            if (tries == 10)
                throw new InvalidOperationException($"a live session is refused ten times: {attempt.Refusal}");
            await Task.Delay(attempt.RetryAfter ?? TimeSpan.FromMilliseconds(200), cancellation);
        }
    }

    private async Task NoteLossAsync(ClientSession session)
    {
        var reason = await session.Closed;
        lock (_sessions)
        {
            if (_firstLoss.Length == 0)
                _firstLoss = reason.ToString();
        }
    }

    private async Task<NodeId[]> FindTagsAsync(SessionFactory sessions, CancellationToken cancellation)
    {
        await using var session = await sessions.OpenAsync(cancellation);
        var count = await NodeReader.CountTagsAsync(session, sessions.Tag, settings.Tags, cancellation);
        if (count == 0)
            throw new InvalidOperationException($"the server has no tag {sessions.Tag(0)}");
        var tags = new NodeId[count];
        for (var i = 0; i < count; i++)
            tags[i] = sessions.Tag(i);
        return tags;
    }

    /// <summary>Subscriptions that bring nothing while each tag changes twice.</summary>
    private async Task<int> CountSilentAsync(CancellationToken cancellation)
    {
        if (settings.Items == 0)
            return 0;
        var seen = _watchers.ConvertAll(watcher => watcher.Messages);
        await Task.Delay(TimeSpan.FromMilliseconds(2.5 * Math.Max(ChangeMs, settings.IntervalMs)), cancellation);
        return _watchers.Where((watcher, i) => watcher.Messages == seen[i]).Count();
    }

    private LiveResult ResultOf(int silent, LiveMeasured last) => new()
    {
        Sessions = _sessions.Count,
        SessionsLost = _sessions.Count(session => !session.IsOpen),
        FirstLoss = _firstLoss,
        SilentAtEnd = silent,
        Faults = LiveFaults.Of(new WatcherTotals(_watchers)),
        Seconds = Array.ConvertAll(_recorder.Series!.Seconds(), SecondOf),
        Total = SecondOf(_recorder.Series.All),
        Reads = SecondOf(_reads.Times),
        ReadsFailed = _reads.Failed,
        FirstReadFailure = _reads.FirstFailure,
        CpuCores = last.CpuCores,
        Newcomers = last.Newcomers,
    };

    private static LiveSecond SecondOf(Histogram histogram) => new(
        histogram.Count, histogram.PercentileMs(0.5), histogram.PercentileMs(0.99), histogram.MaximumMs);

    private async Task CloseAsync()
    {
        using var patience = new CancellationTokenSource(ClosingTime);
        var limit = new ParallelOptions { MaxDegreeOfParallelism = OpeningAtATime };
        await Parallel.ForEachAsync(_sessions, limit, async (session, _) =>
        {
            try
            {
                await session.CloseAsync(cancellation: patience.Token);
            }
            catch (OperationCanceledException)
            {
                // Left without an answer.
            }
        });
    }

    private sealed record LiveMeasured(Newcomer[] Newcomers, double CpuCores);
}
