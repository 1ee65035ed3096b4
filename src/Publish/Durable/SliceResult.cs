namespace Gateway.Publish.Durable;

internal enum SliceResult
{
    /// <summary>Changed items are left.</summary>
    More,

    /// <summary>No changed item is left; the commit of this moment is there, too.</summary>
    Last,

    /// <summary>The subscription has ended, or is on its way to another shard.</summary>
    Unavailable,
}
