namespace Gateway.Host.Hosting;

internal enum TrimStep
{
    None,

    /// <summary>A concurrent collection, which says what is live.</summary>
    Look,

    /// <summary>A compacting one, which stops all threads and gives back what is free.</summary>
    Compact,
}
