using Gateway.Transport.Security;

namespace Gateway.Transport.Conversation;

/// <param name="Admitted">False: refuse and close.</param>
/// <param name="RetryAfterMs">What a refused client is told.</param>
/// <param name="Priority">Its place on the private-key lane, where admitted at OPN.</param>
public readonly record struct GateDecision(
    bool Admitted, int RetryAfterMs = 0, PrivateKeyPriority Priority = PrivateKeyPriority.Stranger)
{
    public static GateDecision Admit => new(true);

    public static GateDecision AdmitAs(PrivateKeyPriority priority) => new(true, 0, priority);

    public static GateDecision Refuse(int retryAfterMs) => new(false, retryAfterMs);
}
