namespace Gateway.Publish.Items;

/// <summary>The kind of notification of a monitored item. Source: Part 4 §7.25.</summary>
public enum NotificationKind : byte
{
    /// <summary>A DataValue: the item watches an attribute.</summary>
    DataChange,

    /// <summary>The selected fields of an event: the item watches EventNotifier.</summary>
    Event,
}
