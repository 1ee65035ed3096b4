using Gateway.Codec.Types;

namespace Gateway.Events.Model;

/// <summary>The fields that the events of one kind have, and their order in <see cref="EventRecord.Values"/>. One
/// object for all events of the kind: filters keep beside it where their clauses find fields. Immutable.</summary>
public sealed class EventLayout
{
    private readonly Dictionary<FieldPath, int> _slots = [];

    public EventLayout(NodeId eventType, bool isCondition, IReadOnlyList<EventField> fields)
    {
        EventType = eventType;
        IsCondition = isCondition;
        Fields = fields;
        for (var i = 0; i < fields.Count; i++)
            _slots.Add(fields[i].Path, i);
    }

    /// <summary>The concrete type.</summary>
    public NodeId EventType { get; }

    /// <summary>Notifications of a condition: a client that loses one has to refresh.</summary>
    public bool IsCondition { get; }

    /// <summary>Only users who may read the audit trail get these events.</summary>
    public bool IsAudit { get; init; }

    public IReadOnlyList<EventField> Fields { get; }

    /// <summary>−1: these events have no such field.</summary>
    public int SlotOf(FieldPath path) => _slots.GetValueOrDefault(path, -1);
}
