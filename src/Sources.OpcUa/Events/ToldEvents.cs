using System.Buffers.Binary;
using System.Security.Cryptography;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;

namespace Gateway.Sources.OpcUa.Events;

/// <summary>
/// The events of an upstream that were told last: the queue of a server that stood by begins with them, and they are
/// not told again. Where its events have the EventIds of the server before, these decide; else Time does, so the
/// servers must have the same time. An event that was told is dropped by both, and one that was not, and is older than
/// the last one that was told, is late: it is told where EventIds decide, up to <see cref="Late"/>. Bounded: as many as
/// that queue has. Thread: the loop of events. Source: Part 4 §6.6.2.4.5.5.
/// </summary>
internal sealed class ToldEvents(TimeProvider time, Func<int> capacity)
{
    /// <summary>Also the longest time after the server took over in which events count as those of its queue.</summary>
    public static readonly TimeSpan Late = TimeSpan.FromSeconds(5);

    /// <summary>Of a server's clock, which may have another time zone.</summary>
    private static readonly TimeSpan MostAhead = TimeSpan.FromDays(1);

    private readonly Queue<Int128> _order = new();
    private readonly HashSet<Int128> _known = [];
    private DateTime _newest;
    private DateTime _newestBefore;
    private bool _hasSameIds;
    private bool _isRefreshing;
    private long? _since;

    /// <summary>Events may be those of the queue.</summary>
    public bool IsCatchingUp => _since is { } since && time.GetElapsedTime(since) < Late;

    /// <summary>Another server has taken over, with what its queue has.</summary>
    public void Begin() =>
        (_since, _newestBefore, _hasSameIds, _isRefreshing) = (time.GetTimestamp(), _newest, false, false);

    /// <summary>RefreshStart has come, which any client of the server may have caused: conditions are told again. One
    /// that is newer than all that was told is behind the queue; an older one is a part of it.</summary>
    /// <param name="at">Its Time.</param>
    public void BeginRefresh(DateTime at)
    {
        _isRefreshing = true;
        if (at > _newestBefore)
            _since = null;
    }

    /// <summary>RefreshEnd has come.</summary>
    public void EndRefresh() => _isRefreshing = false;

    /// <summary>Keeps an event, unless it was told before.</summary>
    public bool TryAdd(Variant[] fields)
    {
        if (fields.Length < MirroredFields.LeastCount)
            return true;
        var at = fields[MirroredFields.Time].AsDateTime();
        var key = KeyOf(fields, at);
        var isRefreshed = _isRefreshing && !fields[MirroredFields.ConditionId].AsNodeId().IsNull;
        if (IsCatchingUp && !isRefreshed && IsOld(key, at))
            return false;
        // A refresh of many conditions would push out what the queue has.
        if (isRefreshed && at <= _newest)
            return true;
        // One Time in the far future must not make all later events old.
        if (at > _newest && at - time.GetUtcNow().UtcDateTime <= MostAhead)
            _newest = at;
        if (!_known.Add(key))
            return true;
        _order.Enqueue(key);
        if (_order.Count > capacity())
            _known.Remove(_order.Dequeue());
        return true;
    }

    private bool IsOld(Int128 key, DateTime at)
    {
        if (!_known.Contains(key))
            return at <= _newestBefore && (!_hasSameIds || _newestBefore - at > Late);
        _hasSameIds = true;
        return true;
    }

    /// <summary>Two servers may count their events each by itself, and one may give an EventId more than once: it says
    /// little alone. Of the rest, what two servers have alike: no NodeIds, whose indexes may differ, and not when the
    /// server had it.</summary>
    private static Int128 KeyOf(Variant[] fields, DateTime at)
    {
        Span<byte> digest = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(fields[MirroredFields.EventId].AsByteString() ?? [], digest);
        var rest = default(HashCode);
        for (var i = 0; i < MirroredFields.LeastCount; i++)
        {
            if (i is not (MirroredFields.EventId or MirroredFields.Time or MirroredFields.ReceiveTime))
                rest.Add(fields[i].Type == BuiltInType.NodeId ? default : fields[i]);
        }

        return BinaryPrimitives.ReadInt128LittleEndian(digest) ^ at.Ticks ^ ((Int128)rest.ToHashCode() << 64);
    }
}
