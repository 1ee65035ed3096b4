namespace Gateway.Host.Hosting;

/// <param name="ResidentBytes">Of the process.</param>
/// <param name="AllocatedBytes">By managed code, ever.</param>
/// <param name="HeldBytes">Half-received messages and waiting output, and what is being decoded.</param>
/// <param name="LiveBytes">Managed objects behind the last collection.</param>
/// <param name="CommittedBytes">Of the managed heap.</param>
internal readonly record struct MemoryFacts(
    long ResidentBytes, long AllocatedBytes, long HeldBytes, long LiveBytes, long CommittedBytes);
