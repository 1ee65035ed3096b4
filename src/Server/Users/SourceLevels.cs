namespace Gateway.Server.Users;

/// <summary>
/// Failures of many users from one source, as a leaky bucket. An address that has failed as often as four users may
/// gets one check in each <see cref="ServerLimits.FailedLoginInterval"/>; the /24 (IPv6: /48) around it may fail four
/// times as often. The more users have logged in from there, the less a failure counts: people behind one address
/// mistype, too. Guarded by the lock of <see cref="FailedLogins"/>.
/// </summary>
internal sealed class SourceLevels(TimeProvider timeProvider, ServerLimits limits)
{
    private const int UserFactor = 4;
    private const int NetworkFactor = 4;
    private const int MaxProvenClients = 1_000;

    private readonly Generations<LoginKey, Level> _sources = new(limits.MaxTrackedLogins);
    private readonly Generations<LoginKey, Level> _networks = new(limits.MaxTrackedLogins);

    public int Count => Math.Max(_sources.Count, _networks.Count);

    public bool IsFull(in LoginAttempt attempt, long now) =>
        IsFull(_sources, attempt.Source, 1, now) ||
        (attempt.NetworkOrNone is { } network && IsFull(_networks, network, NetworkFactor, now));

    public void Failed(in LoginAttempt attempt, long now)
    {
        Fail(_sources, attempt.Source, 1, now);
        if (attempt.NetworkOrNone is { } network)
            Fail(_networks, network, NetworkFactor, now);
    }

    public void Succeeded(in LoginAttempt attempt, long now)
    {
        Prove(_sources, attempt.Source, 1, now);
        if (attempt.NetworkOrNone is { } network)
            Prove(_networks, network, NetworkFactor, now);
    }

    private bool IsFull(Generations<LoginKey, Level> table, LoginKey key, int factor, long now) =>
        table.TryGet(key, out var level) && LeftOf(level, factor, now) + 1 > CapacityOf(level, factor);

    private void Fail(Generations<LoginKey, Level> table, LoginKey key, int factor, long now)
    {
        table.TryGet(key, out var level);
        var failures = Math.Min(LeftOf(level, factor, now) + 1, CapacityOf(level, factor));
        table.Set(key, level with { Failures = failures, At = now });
    }

    private void Prove(Generations<LoginKey, Level> table, LoginKey key, int factor, long now)
    {
        table.TryGet(key, out var level);
        table.Set(key, new Level(
            LeftOf(level, factor, now), now, Math.Min(level.ProvenClients + 1, MaxProvenClients)));
    }

    /// <summary>Failures leak at the rate at which tries are checked.</summary>
    private double LeftOf(in Level level, int factor, long now)
    {
        var leaked = timeProvider.GetElapsedTime(level.At, now) / limits.FailedLoginInterval;
        return Math.Max(0, level.Failures - (leaked * WeightOf(level, factor)));
    }

    private double CapacityOf(in Level level, int factor) =>
        UserFactor * limits.MaxFailedLogins * WeightOf(level, factor);

    private static double WeightOf(in Level level, int factor) => factor + level.ProvenClients;

    private readonly record struct Level(double Failures, long At, int ProvenClients);
}
