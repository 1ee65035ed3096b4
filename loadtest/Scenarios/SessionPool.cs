using System.Diagnostics;
using Gateway.Client;
using Spectre.Console;

namespace Gateway.Loadtest.Scenarios;

/// <summary>Opens many sessions, some at a time, and notes when each was there.</summary>
internal sealed class SessionPool(RunContext context)
{
    private readonly Lock _lock = new();
    private readonly List<double> _openedAt = [];

    public List<ClientSession> Sessions { get; } = [];

    public long Failed { get; private set; }

    public double Seconds { get; private set; }

    /// <summary>Sessions a second of a part of the bring-up, by the order in which they were there.</summary>
    public double Rate(double from, double to)
    {
        var first = (int)(_openedAt.Count * from);
        var last = Math.Min((int)(_openedAt.Count * to), _openedAt.Count) - 1;
        return last > first ? (last - first) / (_openedAt[last] - _openedAt[first]) : double.NaN;
    }

    public async Task OpenAsync(int count)
    {
        var watch = Stopwatch.StartNew();
        await AnsiConsole.Progress().StartAsync(async progress =>
        {
            var task = progress.AddTask("sessions", maxValue: count);
            var options = new ParallelOptions
            {
                MaxDegreeOfParallelism = context.Options.Parallel,
                CancellationToken = context.Cancellation,
            };
            await Parallel.ForAsync(0, count, options, async (_, cancellation) =>
            {
                await OpenOneAsync(watch, cancellation);
                task.Increment(1);
            });
        });
        Seconds = watch.Elapsed.TotalSeconds;
    }

    public async Task CloseAsync()
    {
        var options = new ParallelOptions { MaxDegreeOfParallelism = context.Options.Parallel };
        await Parallel.ForEachAsync(Sessions, options, async (session, cancellation) =>
            await session.CloseAsync(cancellation: cancellation));
    }

    private async Task OpenOneAsync(Stopwatch watch, CancellationToken cancellation)
    {
        try
        {
            var session = await context.Sessions.OpenAsync(cancellation);
            lock (_lock)
            {
                Sessions.Add(session);
                _openedAt.Add(watch.Elapsed.TotalSeconds);
            }
        }
        catch (ServiceException exception)
        {
            lock (_lock)
            {
                if (Failed++ == 0)
                    AnsiConsole.MarkupLineInterpolated($"[red]{exception.Message}[/]");
            }
        }
    }
}
