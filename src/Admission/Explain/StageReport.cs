using Gateway.Admission.Stages;

namespace Gateway.Admission.Explain;

/// <summary>One stage for the operator.</summary>
/// <param name="Stage">Which.</param>
/// <param name="LimitName">The key below <c>Limits:</c> of its limit; null where it has none.</param>
/// <param name="Limit">Its value; 0: none.</param>
/// <param name="Use">The number that it holds now.</param>
/// <param name="Waiting">The number that wait now.</param>
/// <param name="LastMinute">Its traffic.</param>
/// <param name="LastFiveMinutes">Its traffic.</param>
public sealed record StageReport(
    AdmissionStage Stage, string? LimitName, long Limit, long Use, long Waiting, StageFlow LastMinute,
    StageFlow LastFiveMinutes);
