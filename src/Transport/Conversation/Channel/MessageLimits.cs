using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>The limits on the next message: lower before a session is active (R03).</summary>
/// <param name="MaxMessageBytes">TypeId and body.</param>
/// <param name="MaxChunkCount">Of one message.</param>
/// <param name="MayBeSlow">A large message may take longer than a chunk.</param>
internal readonly record struct MessageLimits(int MaxMessageBytes, int MaxChunkCount, bool MayBeSlow)
{
    /// <summary>Headers (24), padding (16) and signature (32) of one chunk, rounded up.</summary>
    public const int SealAllowanceBytes = 128;

    public static MessageLimits Of(TransportLimits limits, bool hasActiveSession) => hasActiveSession
        ? new MessageLimits(limits.MaxMessageSizeBytes, limits.MaxChunkCount, MayBeSlow: true)
        : new MessageLimits(limits.MaxMessageSizeBeforeSessionBytes, limits.MaxChunkCountBeforeSession,
            MayBeSlow: false);
}
