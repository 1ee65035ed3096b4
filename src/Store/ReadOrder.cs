namespace Gateway.Store;

/// <summary>The order in which a consumer that fell behind gets records.</summary>
public enum ReadOrder
{
    /// <summary>Strictly by sequence number: live data waits behind the backlog.</summary>
    OldestFirst,

    /// <summary>Live data at once. The backlog follows by sequence number where live data leaves room.</summary>
    LiveFirst,

    /// <summary>As <see cref="LiveFirst"/>, but the backlog comes from its newest record backwards.</summary>
    NewestFirst,
}
