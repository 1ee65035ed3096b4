namespace Gateway.Host.Hosting;

internal enum TrimStep
{
    None,

    /// <summary>A concurrent collection, to measure the live memory.</summary>
    Look,

    /// <summary>A compacting collection: stops all threads and returns free memory to the system.</summary>
    Compact,
}
