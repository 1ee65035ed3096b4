using System.Diagnostics;
using System.Net.Sockets;
using System.Text.Json;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Scenarios.Rest;

/// <summary>The connections that ask for one part, from their opening to the check of what they did.</summary>
internal sealed class RestCrowd : IDisposable
{
    private const int MaxTries = 50;

    /// <summary>A gateway lets 500 connections a second of one address in.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(100);

    /// <summary>From the end of the measurement.</summary>
    private static readonly TimeSpan LastAnswers = TimeSpan.FromSeconds(10);

    private readonly RunContext _run;
    private readonly HttpTarget _target;
    private readonly RestPart _part;
    private readonly List<RestCaller> _callers = [];
    private readonly List<IRestLoad> _loads = [];
    private readonly CancellationTokenSource _end = new();
    private Task _running = Task.CompletedTask;

    private RestCrowd(RunContext run, HttpTarget target, RestPart part) => (_run, _target, _part) = (run, target, part);

    /// <summary>Opens the connections and sends the first requests.</summary>
    public static async Task<RestCrowd> StartAsync(RunContext run, HttpTarget target, RestPart part, int connections)
    {
        run.Progress.Begin($"{part.Name}: opening {connections} connections");
        var crowd = new RestCrowd(run, target, part);
        try
        {
            for (var i = 0; i < connections; i++)
            {
                var load = part.LoadOf(target, i);
                crowd._loads.Add(load);
                crowd._callers.Add(new RestCaller(await crowd.OpenAsync(i), load));
            }
        }
        catch
        {
            crowd.Dispose();
            throw;
        }

        crowd._running = Task.WhenAll(crowd._callers.ConvertAll(caller =>
            Task.Run(() => caller.RunAsync(crowd._end.Token))));
        return crowd;
    }

    /// <param name="server">Whose column it is; empty: the gateway's.</param>
    /// <param name="isCold">The server is.</param>
    /// <param name="seconds">To measure.</param>
    public async Task<RestMeasured> MeasureAsync(string server, bool isCold, double seconds)
    {
        var roundTrip = new Histogram();
        using var driver = new ProcessProbe(Environment.ProcessId);
        _run.Progress.BeginSeconds($"{server}{_part.Name}{(isCold ? ", cold" : string.Empty)}", seconds);
        _callers.ForEach(caller => caller.RoundTrip = roundTrip);
        var before = _callers.Sum(caller => caller.Requests);
        var meter = new Meter(_target.Server, driver);
        await Task.Delay(TimeSpan.FromSeconds(seconds), _run.Cancellation);
        await FirstAnswerAsync(before);
        var window = meter.Stop();
        var requests = _callers.Sum(caller => caller.Requests) - before;
        return new RestMeasured(
            server, _part, new LoadShape(_callers.Count, 1), isCold, window, requests, roundTrip);
    }

    // A window without an answer measures nothing: where the machine is busy with others' work, it lasts longer.
    private async Task FirstAnswerAsync(long before)
    {
        var deadline = Stopwatch.GetTimestamp() + (long)(LastAnswers.TotalSeconds * Stopwatch.Frequency);
        while (_callers.Sum(caller => caller.Requests) == before && Stopwatch.GetTimestamp() < deadline)
        {
            await Task.Delay(Pause, _run.Cancellation);
        }
    }

    /// <summary>Lets the last answers come, and looks at what was done.</summary>
    public async Task<RestFaults> EndAsync()
    {
        await _end.CancelAsync();
        await _running.WaitAsync(LastAnswers).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        // A connection whose answer never came is lost.
        _callers.ForEach(caller => caller.Dispose());
        await _running;
        var writes = _loads.OfType<WriteLoad>().ToArray();
        return new RestFaults
        {
            Wrong = _callers.Sum(caller => caller.Bad),
            Lost = _callers.Count(caller => caller.Lost is not null),
            FirstLoss = _callers.Select(caller => caller.Lost).FirstOrDefault(lost => lost is not null),
            NotWritten = writes.Length > 0 ? await CountNotWrittenAsync(writes) : 0,
        };
    }

    public void Dispose()
    {
        _callers.ForEach(caller => caller.Dispose());
        _end.Dispose();
    }

    private async Task<HttpWire> OpenAsync(int number)
    {
        for (var tries = 1; ; tries++)
        {
            try
            {
                return await HttpWire.ConnectAsync(_target.Address, _target.SourceOf(number), _run.Cancellation);
            }
            catch (SocketException) when (tries < MaxTries)
            {
                await Task.Delay(Pause, _run.Cancellation);
            }
        }
    }

    private async Task<int> CountNotWrittenAsync(WriteLoad[] writes)
    {
        using var wire = await HttpWire.ConnectAsync(_target.Address, null, _run.Cancellation);
        var body = RestPart.BodyOf(writes.Select(write => write.Node));
        await wire.AskAsync(_target.Send("POST", "/values/read", body), _run.Cancellation);
        using var json = JsonDocument.Parse(wire.ReadBody());
        var values = json.RootElement.GetProperty("values").EnumerateArray()
            .Select(static entry => entry.GetProperty("value").GetDouble());
        return values.Zip(writes).Count(static pair => pair.First != pair.Second.Value);
    }
}
