namespace Gateway.Publish.Items;

/// <summary>Facts about an item for events that outlive the process.</summary>
[Flags]
internal enum EventItemNotes : byte
{
    None = 0,

    /// <summary>Events were lost, and the client has not been told.</summary>
    HasLost = 1,

    /// <summary>It has had audit events.</summary>
    HadAudit = 2,

    /// <summary>More sources with access rules than are remembered, or some that nobody can find any more.</summary>
    HadUnknownSources = 4,

    /// <summary>Events have come by other access rules than there are now.</summary>
    HadOtherRules = 8,
}
