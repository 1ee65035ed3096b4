using System.Diagnostics;
using System.Text.Json;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Scenarios.Upstreams;

/// <summary>The gateway's own word on its upstreams: <c>/api/v1/upstreams</c>.</summary>
internal sealed class UpstreamStates(RunContext gateway) : IDisposable
{
    /// <summary>It bounds how exact a time is.</summary>
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(20);

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    private readonly GatewayMetrics _metrics = new(gateway.HttpUrl);

    public sealed record State(string Name, string Word, DateTimeOffset Since, int Nodes, long Connects, int Items);

    /// <returns>The states at that moment.</returns>
    public async Task<IReadOnlyList<State>> UntilAsync(string phase, Func<IReadOnlyList<State>, bool> holds)
    {
        gateway.Progress.Begin(phase);
        var since = Stopwatch.GetTimestamp();
        while (true)
        {
            var states = await ReadAsync();
            if (states.Count > 0 && holds(states))
                return states;
            if (Stopwatch.GetElapsedTime(since) > Patience)
                throw new InvalidOperationException(
                    $"{phase}: not after {Patience.TotalMinutes:0} minutes: "
                    + string.Join(", ", states.Select(static one => $"{one.Name} {one.Word}")));
            await Task.Delay(BetweenLooks, gateway.Cancellation);
        }
    }

    public async Task<IReadOnlyList<State>> ReadAsync()
    {
        var text = await _metrics.GetAsync("/api/v1/upstreams", gateway.Cancellation);
        if (text.Length == 0)
            return [];
        using var json = JsonDocument.Parse(text);
        return
        [
            .. json.RootElement.GetProperty("upstreams").EnumerateArray().Select(static one => new State(
                one.GetProperty("name").GetString()!, one.GetProperty("state").GetString()!,
                one.GetProperty("since").GetDateTimeOffset(), one.GetProperty("nodes").GetInt32(),
                one.GetProperty("counts").GetProperty("connects").GetInt64(),
                one.GetProperty("counts").GetProperty("monitoredItems").GetInt32())),
        ];
    }

    public static bool IsServed(State one) => one.Word is "online" or "limited";

    public void Dispose() => _metrics.Dispose();
}
