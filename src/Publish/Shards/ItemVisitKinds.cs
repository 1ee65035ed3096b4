namespace Gateway.Publish.Shards;

/// <summary>The reasons to visit the items of a subscription.</summary>
[Flags]
internal enum ItemVisitKinds
{
    None = 0,

    /// <summary>They are checked against the present rights of their session's user (R16, R36).</summary>
    Review = 1,

    /// <summary>Each reports its value once more. Source: Part 4 §5.14.7, Part 5 §9.2.</summary>
    Resend = 2,

    /// <summary>Each looks at its node's current value: changes were lost on the way.</summary>
    CatchUp = 4,

    /// <summary>The session was another user's: what that one was sent is not repeated where nobody can say whether the
    /// present one may read it.</summary>
    OtherUser = 8,
}
