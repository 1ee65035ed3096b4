using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>What applies to the next message: less before a session is active (R03).</summary>
internal readonly record struct MessageLimits(int MaxMessageBytes, int MaxChunkCount)
{
    /// <summary>Headers (24), padding (16) and signature (32) of one chunk, rounded up.</summary>
    public const int SealAllowanceBytes = 128;

    public static MessageLimits Of(TransportLimits limits, bool hasActiveSession) => hasActiveSession
        ? new MessageLimits(limits.MaxMessageSizeBytes, limits.MaxChunkCount)
        : new MessageLimits(limits.MaxMessageSizeBeforeSessionBytes, limits.MaxChunkCountBeforeSession);
}
