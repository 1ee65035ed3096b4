using Gateway.Server.Management;

namespace Gateway.Rest.Clients;

/// <summary>The sessions put together by one thing that they have in common. All sessions are looked at at most once in
/// an interval, and only when somebody asks; all who ask meanwhile get the same groups. Thread-safe.</summary>
/// <param name="keyOf">The key of a session; null: it has none.</param>
/// <param name="subjectOf">Shown beside it.</param>
/// <param name="read">A page of all sessions, as <see cref="SessionDirectory.Read"/>.</param>
/// <param name="time">For the interval and the rates.</param>
internal sealed class SessionGroups(
    Func<SessionReport, string?> keyOf, Func<SessionReport, string?> subjectOf,
    Func<int, int, List<SessionReport>, int> read, TimeProvider time)
{
    /// <summary>A page of the console asks every five seconds.</summary>
    public static readonly TimeSpan Interval = TimeSpan.FromSeconds(4);

    private const int PageSize = 1_000;

    private readonly Lock _lock = new();
    private Task<Look>? _last;

    /// <summary>One look at all sessions.</summary>
    /// <param name="Groups">Those with most sessions first.</param>
    /// <param name="Notifications">Of each session, for the rates of the next look.</param>
    /// <param name="At">Its time stamp.</param>
    private sealed record Look(IReadOnlyList<SessionGroup> Groups, Dictionary<Guid, long> Notifications, long At);

    public async Task<IReadOnlyList<SessionGroup>> ReadAsync()
    {
        Task<Look> look;
        lock (_lock)
            look = _last is null || _last.IsCompleted ? _last = LookAgainAsync(_last) : _last;
        return (await look.ConfigureAwait(false)).Groups;
    }

    /// <summary>The last look while it is young, else a new one. Never faulted by the one before.</summary>
    private async Task<Look> LookAgainAsync(Task<Look>? last)
    {
        var before = last is { IsCompletedSuccessfully: true } ? await last.ConfigureAwait(false) : null;
        if (before is not null && time.GetElapsedTime(before.At) < Interval)
            return before;
        return await Task.Run(() => LookAtAll(before)).ConfigureAwait(false);
    }

    private Look LookAtAll(Look? before)
    {
        var now = time.GetTimestamp();
        var seconds = before is null ? 0 : time.GetElapsedTime(before.At, now).TotalSeconds;
        var groups = new Dictionary<string, SessionGroup>(StringComparer.Ordinal);
        var notifications = new Dictionary<Guid, long>(before?.Notifications.Count ?? 0);
        var page = new List<SessionReport>(PageSize);
        for (var from = 0; from >= 0;)
        {
            page.Clear();
            from = read(from, PageSize, page);
            foreach (var session in page)
            {
                notifications[session.Id] = session.Totals.Notifications;
                var key = keyOf(session) ?? "";
                var group = groups.GetValueOrDefault(key) ??
                    new SessionGroup(key) { Subject = subjectOf(session) ?? "", Since = session.Since };
                groups[key] = Add(group, session, RateOf(session, before, seconds));
            }
        }

        return new(
            [.. groups.Values.OrderByDescending(static one => one.Sessions)
                .ThenBy(static one => one.Key, StringComparer.Ordinal)],
            notifications, now);
    }

    /// <summary>Null: it was not there at the look before.</summary>
    private static double? RateOf(SessionReport session, Look? before, double seconds) =>
        seconds > 0 && before!.Notifications.TryGetValue(session.Id, out var then)
            ? Math.Max(0, session.Totals.Notifications - then) / seconds
            : null;

    private static SessionGroup Add(SessionGroup group, SessionReport session, double? rate) => group with
    {
        Sessions = group.Sessions + 1,
        Waiting = group.Waiting + (session.State == SessionPhase.Waiting ? 1 : 0),
        Subscriptions = group.Subscriptions + session.Subscriptions,
        MonitoredItems = group.MonitoredItems + session.MonitoredItems,
        QueueCapacity = group.QueueCapacity + session.Totals.QueueCapacity,
        QueueOverflows = group.QueueOverflows + session.Totals.QueueOverflows,
        Notifications = group.Notifications + session.Totals.Notifications,
        NotificationsPerSecond = rate is { } one
            ? (group.NotificationsPerSecond ?? 0) + one
            : group.NotificationsPerSecond,
        LateSubscriptions = group.LateSubscriptions + session.Totals.LateSubscriptions,
        LateCycles = group.LateCycles + session.Totals.LateCycles,
        Since = session.Since < group.Since ? session.Since : group.Since,
    };
}
