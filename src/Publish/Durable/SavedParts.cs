namespace Gateway.Publish.Durable;

/// <summary>The parts of an item's record besides its new entries.</summary>
[Flags]
internal enum SavedParts : byte
{
    None = 0,
    Settings = 1,

    /// <summary>The last value that was queued, which the filter compares with.</summary>
    Last = 2,

    /// <summary>That one is the newest entry of the queue.</summary>
    LastIsNewest = 4,

    /// <summary>Of an item for events: what is beside its queue (<see cref="SavedEvents"/>).</summary>
    Events = 8,
}
