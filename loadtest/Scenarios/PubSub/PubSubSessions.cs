using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Scenarios.PubSub;

/// <summary>The sessions beside the publishing, a subscription of one item each, as in the scenario sessions.</summary>
internal sealed class PubSubSessions
{
    private readonly SessionPool _pool;
    private readonly WatcherPool _watchers;

    private PubSubSessions(RunContext gateway) =>
        (_pool, _watchers) = (new SessionPool(gateway), new WatcherPool(gateway, Recorder));

    public Recorder Recorder { get; } = new() { Part = MeasurePart.Opening };

    public static async Task<PubSubSessions> StartAsync(RunContext gateway, int count, double intervalMs)
    {
        var sessions = new PubSubSessions(gateway);
        if (count > 0)
        {
            var tags = await gateway.FindTagsAsync(count);
            await sessions._pool.OpenUpToAsync(count);
            await sessions._watchers.AddAsync(
                0, sessions._pool.Sessions.Count, number => sessions._pool.Sessions[number],
                number => TagSlice.Of(tags, number, 1), intervalMs);
        }

        sessions.Recorder.Part = MeasurePart.Settling;
        return sessions;
    }

    public PubSubColumn AddTo(PubSubColumn column) => _pool.Sessions.Count == 0
        ? column
        : column with
        {
            Sessions = _watchers.Totals,
            Lateness = Recorder.Lateness,
            SessionCount = _pool.Sessions.Count,
            SessionsLost = _pool.Lost + _pool.Failed,
        };

    public Task CloseAsync() => _pool.Sessions.Count > 0 ? _pool.CloseAsync() : Task.CompletedTask;
}
