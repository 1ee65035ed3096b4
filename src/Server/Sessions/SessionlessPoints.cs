using Gateway.Operations.Browsing;
using Gateway.Operations.Continuation;
using Gateway.Server.Users;

namespace Gateway.Server.Sessions;

/// <summary>Continuation points of callers without a session, by account and address, so that a later call of the same
/// client can continue, and clients that share an account do not take each other's. Bounded: a client loses its points
/// after a long pause. Its lock is a leaf.</summary>
/// <param name="limit">Clients in each of two generations.</param>
internal sealed class SessionlessPoints(int limit)
{
    private readonly Lock _lock = new();
    private readonly Generations<(string Account, string Address), ContinuationPoints<BrowseCursor>> _points =
        new(limit);

    public int Count
    {
        get
        {
            lock (_lock)
                return _points.Count;
        }
    }

    /// <summary>Nothing is kept for the client before there is a point.</summary>
    public IBrowsePointOwner Of(string account, string address) => new Owner(this, (account, address));

    private ContinuationPoints<BrowseCursor>? Find((string Account, string Address) client, bool makes)
    {
        lock (_lock)
        {
            if (!_points.TryGet(client, out var points))
            {
                if (!makes)
                    return null;
                points = new ContinuationPoints<BrowseCursor>();
            }

            _points.Set(client, points);
            return points;
        }
    }

    private sealed class Owner(SessionlessPoints all, (string Account, string Address) client) : IBrowsePointOwner
    {
        public ContinuationPoints<BrowseCursor> BrowsePoints => all.Find(client, makes: true)!;

        public ContinuationPoints<BrowseCursor>? BrowsePointsIfAny => all.Find(client, makes: false);
    }
}
