namespace Gateway.Host.Hosting;

/// <param name="ResidentBytes">Resident memory of the process.</param>
/// <param name="AllocatedBytes">Allocated by managed code since the start.</param>
/// <param name="HeldBytes">Half-received messages, waiting output and requests, and idle buffers. A collection before
/// they are released would count them as needed.</param>
/// <param name="LiveBytes">Managed objects after the last collection.</param>
/// <param name="CommittedBytes">Committed memory of the managed heap.</param>
/// <param name="StateBytes">An estimate of the memory of connections, sessions, subscriptions and nodes. When they end,
/// their memory shows as memory above the baseline.</param>
/// <param name="FullCollections">Completed collections of all generations.</param>
internal readonly record struct MemoryFacts(
    long ResidentBytes, long AllocatedBytes, long HeldBytes, long LiveBytes, long CommittedBytes,
    long StateBytes,
    long FullCollections)
{
    public long BesideStateBytes => ResidentBytes - StateBytes;
}
