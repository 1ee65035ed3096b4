namespace Gateway.Host.Hosting;

/// <param name="ResidentBytes">Of the process.</param>
/// <param name="AllocatedBytes">By managed code, ever.</param>
/// <param name="HeldBytes">Half-received messages, waiting output and requests, and idle buffers: a collection before
/// they are let go of would show them as needed.</param>
/// <param name="LiveBytes">Managed objects behind the last collection.</param>
/// <param name="CommittedBytes">Of the managed heap.</param>
internal readonly record struct MemoryFacts(
    long ResidentBytes, long AllocatedBytes, long HeldBytes, long LiveBytes, long CommittedBytes);
