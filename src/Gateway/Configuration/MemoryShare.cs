using System.Collections.Frozen;
using Gateway.Publish;
using Gateway.Rest;
using Gateway.Server;
using Gateway.Sources.OpcUa;
using Gateway.Transport.Hosting;

namespace Gateway.Host.Configuration;

/// <summary>The most of the memory that a budget takes by default: on a small machine or in a small container the
/// usual defaults would be more than there is (R04, R40). A configured value stands as it is.</summary>
internal static class MemoryShare
{
    /// <summary>One part in so many. Together all but nothing: they are seldom full at the same time.</summary>
    private static readonly FrozenDictionary<string, int> Parts = new Dictionary<string, int>
    {
        [nameof(TransportLimits.MemoryBudgetBytes)] = 4,
        [nameof(ServerLimits.MaxDecodedBytes)] = 8,
        [nameof(PublishLimits.MaxRetransmissionBytes)] = 8,
        [nameof(PublishLimits.MaxQueuedValueBytes)] = 8,
        [nameof(UpstreamLimits.MaxUpstreamHeldBytes)] = 16,
        [nameof(UpstreamLimits.MaxUpstreamBrowseBytes)] = 16,
        // A few are held at a time: in parts, whole, decoded and stored.
        [nameof(TransportLimits.MaxMessageSizeBytes)] = 16,
        [nameof(RestLimits.MaxHttpBodiesBytes)] = 16,
        [nameof(RestLimits.MaxHttpAnswersBytes)] = 16,
        [nameof(RestLimits.MaxHttpStreamsBytes)] = 16,
        // On disk; in memory a number takes three times as much.
        [nameof(PublishLimits.MaxDurableBytes)] = 64,
    }.ToFrozenDictionary();

    /// <summary>In bytes: what the runtime may use, so that of a container its own limit.</summary>
    public static long Memory { get; } = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;

    /// <summary>The default of a limit.</summary>
    /// <param name="name">Of the limit; any.</param>
    /// <param name="usual">Its default where memory is plenty.</param>
    /// <param name="memory">In bytes.</param>
    public static object Default(string name, object usual, long memory) => Parts.TryGetValue(name, out var parts)
        ? usual switch
        {
            int count => (object)(int)Math.Min(count, memory / parts),
            _ => Math.Min((long)usual, memory / parts),
        }
        : usual;
}
