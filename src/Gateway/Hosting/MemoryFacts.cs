namespace Gateway.Host.Hosting;

/// <param name="ResidentBytes">Of the process.</param>
/// <param name="AllocatedBytes">By managed code, ever.</param>
/// <param name="HeldBytes">Half-received messages, waiting output and requests, and idle buffers: a collection before
/// they are let go of would show them as needed.</param>
/// <param name="LiveBytes">Managed objects behind the last collection.</param>
/// <param name="CommittedBytes">Of the managed heap.</param>
/// <param name="StateBytes">An estimate of what connections, sessions, subscriptions and nodes take now. What goes with
/// them shows as memory above the usual.</param>
/// <param name="FullCollections">Rises with each collection of all generations that has ended.</param>
internal readonly record struct MemoryFacts(
    long ResidentBytes, long AllocatedBytes, long HeldBytes, long LiveBytes, long CommittedBytes,
    long StateBytes,
    long FullCollections)
{
    public long BesideStateBytes => ResidentBytes - StateBytes;
}
