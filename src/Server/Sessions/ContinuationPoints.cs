using System.Security.Cryptography;
using Gateway.Server.Browsing;

namespace Gateway.Server.Sessions;

/// <summary>Browses of one session that wait to go on, found by an unguessable id and gone with the session (R21).
/// Its lock is a leaf.</summary>
internal sealed class ContinuationPoints
{
    private const int IdLength = 16;

    private readonly Lock _lock = new();
    private readonly List<(byte[] Id, BrowseCursor Cursor)> _points = [];

    public int Count
    {
        get
        {
            lock (_lock)
                return _points.Count;
        }
    }

    /// <summary>Null where the session has as many as it may.</summary>
    public byte[]? TryAdd(BrowseCursor cursor, int limit)
    {
        var id = RandomNumberGenerator.GetBytes(IdLength);
        lock (_lock)
        {
            if (_points.Count >= limit)
                return null;
            _points.Add((id, cursor));
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
