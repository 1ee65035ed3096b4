using System.Collections.Concurrent;

namespace Gateway.Publish.Durable;

/// <summary>The sessions of the process before that wait for their client, at most one for each durable subscription.
/// Threads: any.</summary>
public sealed class RestoredSessions
{
    private readonly ConcurrentDictionary<Guid, RestoredSession> _byId = new();

    public int Count => _byId.Count;

    /// <summary>The first that fits. Forgets those whose time is over.</summary>
    public RestoredSession? Find(Func<RestoredSession, bool> fits)
    {
        foreach (var (_, session) in _byId)
        {
            if (session.IsOver)
                Remove(session);
            else if (fits(session))
                return session;
        }

        return null;
    }

    /// <summary>It waits still.</summary>
    public bool Has(RestoredSession session) => ReferenceEquals(_byId.GetValueOrDefault(session.Id), session);

    /// <summary>Its client has come.</summary>
    public void Remove(RestoredSession session) => _byId.TryRemove(session.Id, out _);

    /// <summary>With all its subscriptions.</summary>
    internal void Add(RestoredSession session) => _byId[session.Id] = session;
}
