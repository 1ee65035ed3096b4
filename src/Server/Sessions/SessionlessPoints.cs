using Gateway.Operations.Browsing;
using Gateway.Operations.Continuation;
using Gateway.Server.Users;

namespace Gateway.Server.Sessions;

/// <summary>Continuation points of callers without a session, by account, so that a later call of the same user can
/// continue. Bounded: an account loses its points after a long pause. Its lock is a leaf.</summary>
/// <param name="limit">Accounts in each of two generations.</param>
internal sealed class SessionlessPoints(int limit)
{
    private readonly Lock _lock = new();
    private readonly Generations<string, ContinuationPoints<BrowseCursor>> _points = new(limit);

    /// <summary>Nothing is kept for the account before there is a point.</summary>
    public IBrowsePointOwner Of(string account) => new Owner(this, account);

    private ContinuationPoints<BrowseCursor> Find(string account)
    {
        lock (_lock)
        {
            if (!_points.TryGet(account, out var points))
                points = new ContinuationPoints<BrowseCursor>();
            _points.Set(account, points);
            return points;
        }
    }

    private sealed class Owner(SessionlessPoints all, string account) : IBrowsePointOwner
    {
        public ContinuationPoints<BrowseCursor> BrowsePoints => all.Find(account);
    }
}
