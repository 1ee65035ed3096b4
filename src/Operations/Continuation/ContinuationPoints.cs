using System.Security.Cryptography;

namespace Gateway.Operations.Continuation;

/// <summary>The unfinished operations of one owner (a session, or an HTTP user), each under an unguessable id. They end
/// with the owner (R21). Points of earlier requests make room for those of a new request, the oldest first. Its lock is
/// a leaf. Source: Part 4 §7.9.</summary>
/// <typeparam name="T">The progress of one operation.</typeparam>
public sealed class ContinuationPoints<T>
    where T : class
{
    private const int IdLength = 16;

    private readonly Lock _lock = new();
    private readonly List<(byte[] Id, T State, long Request)> _points = [];

    public int Count
    {
        get
        {
            lock (_lock)
                return _points.Count;
        }
    }

    /// <summary>Null if this request and later ones have as many points as the owner may have.</summary>
    /// <param name="state">Kept until it is taken.</param>
    /// <param name="request">Number from <see cref="ContinuationRequest"/>.</param>
    /// <param name="limit">Points that the owner may have.</param>
    public byte[]? TryAdd(T state, long request, int limit)
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

            _points.Add((id, state, request));
            return id;
        }
    }

    /// <summary>Takes the point out: an id works once. Null if no point has this id.</summary>
    public T? Take(byte[]? id)
    {
        if (id is not { Length: IdLength })
            return null;
        lock (_lock)
        {
            for (var i = 0; i < _points.Count; i++)
            {
                if (!CryptographicOperations.FixedTimeEquals(_points[i].Id, id))
                    continue;
                var state = _points[i].State;
                _points.RemoveAt(i);
                return state;
            }
        }

        return null;
    }
}
