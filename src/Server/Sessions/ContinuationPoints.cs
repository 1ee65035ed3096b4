using System.Security.Cryptography;
using Gateway.Server.Browsing;

namespace Gateway.Server.Sessions;

/// <summary>Browses of one session that wait to go on, found by an unguessable id and gone with the session (R21).
/// Those of earlier requests make room for a new request's, the oldest first. Its lock is a leaf. Source: Part 4 §7.9.
/// </summary>
internal sealed class ContinuationPoints
{
    private const int IdLength = 16;

    private readonly Lock _lock = new();
    /// <summary>Of all sessions: most need no points, and so no counter of their own.</summary>
    private static long s_lastRequest;

    private readonly List<(byte[] Id, BrowseCursor Cursor, long Request)> _points = [];

    public int Count
    {
        get
        {
            lock (_lock)
                return _points.Count;
        }
    }

    /// <summary>What a request's points are added with: later requests have a greater one.</summary>
    public static long BeginRequest() => Interlocked.Increment(ref s_lastRequest);

    /// <summary>Null where this request, and those that came after it, have as many as the session may have.</summary>
    public byte[]? TryAdd(BrowseCursor cursor, long request, int limit)
    {
        var id = RandomNumberGenerator.GetBytes(IdLength);
        lock (_lock)
        {
            if (_points.Count >= limit)
            {
                var oldest = _points.FindIndex(point => point.Request < request);
                if (oldest < 0)
                    return null;
                _points.RemoveAt(oldest);
            }

            _points.Add((id, cursor, request));
            return id;
        }
    }

    /// <summary>Takes the point out: an id works once. Null where there is none with this id.</summary>
    public BrowseCursor? Take(byte[]? id)
    {
        if (id is not { Length: IdLength })
            return null;
        lock (_lock)
        {
            for (var i = 0; i < _points.Count; i++)
            {
                if (!CryptographicOperations.FixedTimeEquals(_points[i].Id, id))
                    continue;
                var cursor = _points[i].Cursor;
                _points.RemoveAt(i);
                return cursor;
            }
        }

        return null;
    }
}
