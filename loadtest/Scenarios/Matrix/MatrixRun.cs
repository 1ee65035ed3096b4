using System.Globalization;
using Gateway.Client;
using Gateway.Codec.Types;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios.Matrix;

/// <summary>One run over the grid.</summary>
internal sealed class MatrixRun(RunContext run)
{
    private readonly double _intervalMs = run.Get(MatrixScenario.Interval);
    private readonly Frontier _frontier = new(
        List(run, MatrixScenario.Sessions), List(run, MatrixScenario.Subscriptions), List(run, MatrixScenario.Items));

    private readonly ReportTable _cells = new(
        "Cells tried",
        [
            "sessions × subscriptions × items", "items in all", "values/s", "due/s", "server cores", "driver cores",
            "memory MiB", "late p99 ms", "age p99 ms", "outcome",
        ]);

    private MatrixBounds _bounds = null!;

    public async Task RunAsync()
    {
        _bounds = new MatrixBounds
        {
            Cores = Environment.ProcessorCount,
            PublishingIntervalMs = _intervalMs,
            LatenessMs = run.Get(MatrixScenario.Lateness),
            MemoryMiB = run.Get(MatrixScenario.Memory),
        };
        var tags = await run.FindTagsAsync(run.Get(MatrixScenario.Tags));
        using var end = CancellationTokenSource.CreateLinkedTokenSource(run.Cancellation);
        end.CancelAfter(TimeSpan.FromMinutes(run.Get(MatrixScenario.Minutes)));
        foreach (var (subscriptions, items) in _frontier.Rows())
        {
            if (end.IsCancellationRequested)
                break;
            await RunRowAsync(tags, subscriptions, items, end.Token);
        }

        run.Cancellation.ThrowIfCancellationRequested();
        if (end.IsCancellationRequested)
            run.Report.Note("the run's time was up before the whole grid was tried");
        run.Report.Add("cells tried", _frontier.Tried.Count);
        run.Report.Add("cells that held", _frontier.Tried.Count(tried => tried.Gave == GaveWay.Nothing));
        run.Report.Tables.Add(Border());
        run.Report.Tables.Add(_cells);
    }

    private async Task RunRowAsync(NodeId[] tags, int subscriptions, int items, CancellationToken end)
    {
        var row = new MatrixRow(run, tags, subscriptions, items, _intervalMs);
        try
        {
            foreach (var cell in _frontier.CellsOf(subscriptions, items))
            {
                if (!_frontier.IsOpen(cell) || end.IsCancellationRequested)
                    break;
                var seen = await MeasureAsync(row, cell, tags.Length, end);
                if (end.IsCancellationRequested)
                    break;
                var gave = _bounds.Judge(seen);
                _frontier.Add(cell, gave, MatrixBounds.Explain(gave, seen));
                Show(seen, gave);
            }
        }
        finally
        {
            await row.CloseAsync();
        }
    }

    private async Task<CellMeasurement> MeasureAsync(MatrixRow row, MatrixCell cell, int tags, CancellationToken end)
    {
        var due = cell.TotalItems * (double)run.Get(MatrixScenario.Changes) / tags;
        var seen = new CellMeasurement { Cell = cell, ExpectedPerSecond = run.Options.Url is null ? due : 0 };
        using var time = CancellationTokenSource.CreateLinkedTokenSource(end);
        time.CancelAfter(TimeSpan.FromSeconds(run.Get(MatrixScenario.CellSeconds)));
        try
        {
            await row.GrowAsync(cell.Sessions, time.Token);
            // The first values, and those that the others' opening delayed.
            await Task.Delay(TimeSpan.FromMilliseconds(1000 + (2 * _intervalMs)), time.Token);
        }
        catch (Exception refused) when (refused is ServiceException or InvalidOperationException)
        {
            return seen with { Refusal = refused.Message };
        }
        catch (OperationCanceledException)
        {
            return seen with { IsOutOfTime = true };
        }

        var values = row.Totals.Values;
        var window = await run.MeasureAsync($"measuring {Name(cell)}", run.Get(MatrixScenario.Seconds), row.Recorder);
        var totals = row.Totals;
        return seen with
        {
            Seconds = window.Seconds,
            ServerCores = window.ServerCores,
            DriverCores = window.DriverCores,
            ServerMemoryMiB = window.ServerResidentBytes / 1024 / 1024,
            ValuesPerSecond = (totals.Values - values) / window.Seconds,
            LatenessP99Ms = row.Recorder.Lateness.PercentileMs(0.99),
            LatencyP99Ms = row.Recorder.Latency.PercentileMs(0.99),
            Losses = totals.FaultText,
            Refusal = row.Refusal,
        };
    }

    private void Show(CellMeasurement seen, GaveWay gave)
    {
        _cells.Rows.Add(
        [
            Name(seen.Cell), Text(seen.Cell.TotalItems, "N0"), Text(seen.ValuesPerSecond, "N0"),
            Text(seen.ExpectedPerSecond, "N0"), Text(seen.ServerCores, "0.00"), Text(seen.DriverCores, "0.00"),
            Text(seen.ServerMemoryMiB, "N0"), Text(seen.LatenessP99Ms, "0.0"), Text(seen.LatencyP99Ms, "N0"),
            gave == GaveWay.Nothing ? "held" : $"**{gave}**: {MatrixBounds.Explain(gave, seen)}",
        ]);
        run.Progress.Say($"{Name(seen.Cell)}: {MatrixBounds.Explain(gave, seen)}");
    }

    private ReportTable Border()
    {
        var table = new ReportTable(
            "The frontier: by subscriptions a session and items a subscription",
            ["subscriptions × items", "sessions that held", "sessions that gave", "what gave"]);
        foreach (var (subscriptions, items) in _frontier.Rows())
        {
            var held = _frontier.LastThatHeld(subscriptions, items);
            var gave = _frontier.FirstThatGave(subscriptions, items);
            table.Rows.Add(
            [
                $"{subscriptions} × {items}", held is { } cell ? Text(cell.Sessions, "N0") : "none tried or held",
                gave is { } border ? Text(border.Cell.Sessions, "N0") : "–",
                gave is { } what ? Reason(what, subscriptions, items) : "nothing, or no time was left",
            ]);
        }

        return table;
    }

    private static string Reason(
        (MatrixCell Cell, GaveWay Gave, string Why) what, int subscriptions, int items) =>
        what.Cell.Subscriptions == subscriptions && what.Cell.Items == items
            ? $"{what.Gave}: {what.Why}"
            : $"{what.Gave}, at {Name(what.Cell)} already";

    private static string Name(MatrixCell cell) => $"{cell.Sessions} × {cell.Subscriptions} × {cell.Items}";

    private static string Text(double value, string format) =>
        double.IsFinite(value) ? value.ToString(format, CultureInfo.InvariantCulture) : "n/a";

    private static int[] List(RunContext run, System.CommandLine.Option<string> option) =>
        NumberList.TryParse(run.Get(option), 1, int.MaxValue)!;
}
