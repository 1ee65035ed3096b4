using Gateway.Operations.Browsing;
using Gateway.Operations.Continuation;
using Gateway.Server.Users;

namespace Gateway.Server.Sessions;

/// <summary>Continuation points of callers without a session, by the account that pays: a later call of the same user
/// goes on. Bounded: an account that has not come for long loses its points. Its lock is a leaf.</summary>
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
