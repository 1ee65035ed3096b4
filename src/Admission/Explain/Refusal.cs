using Gateway.Admission.Stages;
using Gateway.Codec.Types;

namespace Gateway.Admission.Explain;

/// <summary>One entry of the operator's list.</summary>
/// <param name="At">Wall clock.</param>
/// <param name="Stage">Where.</param>
/// <param name="Reason">Why.</param>
/// <param name="Status">The status that the peer got.</param>
/// <param name="RetryAfterMs">And the retry hint; 0: none.</param>
/// <param name="Address">Of the peer.</param>
/// <param name="Thumbprint">Of its certificate, claimed or verified; empty: none yet.</param>
/// <param name="Subject">Of a verified certificate.</param>
/// <param name="Detail">Free text of ours.</param>
public sealed record Refusal(
    DateTimeOffset At, AdmissionStage Stage, RefusalReason Reason, StatusCode Status, int RetryAfterMs, string Address,
    string Thumbprint, string? Subject, string? Detail)
{
    /// <summary>The user of the session or login; null where it is not known.</summary>
    public string? User { get; init; }
}
