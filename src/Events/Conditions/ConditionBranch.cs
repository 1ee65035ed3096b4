using Gateway.Events.Delivery;
using Gateway.Events.Model;

namespace Gateway.Events.Conditions;

/// <summary>The present state of a condition, or an earlier one that waits for its acknowledgement. Owner: the
/// <see cref="ConditionTable"/>, under its lock. Source: Part 9 §4.4.</summary>
internal sealed class ConditionBranch(ConditionState state)
{
    /// <summary>A client may answer a notification that is not the newest one any more.</summary>
    private const int MaxEventIds = 16;

    private readonly List<byte[]> _eventIds = [];

    public ConditionState State { get; set; } = state;

    /// <summary>Those that it knows, the last one last.</summary>
    public IReadOnlyList<byte[]> EventIds => _eventIds;

    /// <summary>The last notification; null: nobody has asked for it yet.</summary>
    public EventRecord? Record { get; set; }

    /// <summary>When the record was built, on the monotonic clock.</summary>
    public long BuiltAt { get; set; }

    /// <summary>Place among those that are retained; −1: it is not.</summary>
    public int Slot { get; set; } = -1;

    /// <summary>Of <see cref="ConditionPlaces"/>, from the first time that it is retained to the event that it is not;
    /// −1: it has none. One whose condition is disabled keeps it: no event tells of its end.</summary>
    public int Place { get; set; } = -1;

    /// <summary>It told of this state: the notifications since it last needed an acknowledgement.</summary>
    public bool Knows(ReadOnlySpan<byte> eventId)
    {
        foreach (var one in _eventIds)
        {
            if (eventId.SequenceEqual(one))
                return true;
        }

        return false;
    }

    public void Add(byte[] eventId)
    {
        if (_eventIds.Count == MaxEventIds)
            _eventIds.RemoveAt(0);
        _eventIds.Add(eventId);
    }

    /// <summary>They name the other one from now on.</summary>
    public void GiveEventIdsTo(ConditionBranch other)
    {
        other._eventIds.AddRange(_eventIds);
        _eventIds.Clear();
    }
}
