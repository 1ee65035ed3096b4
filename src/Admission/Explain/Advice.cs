using Gateway.Admission.Stages;

namespace Gateway.Admission.Explain;

/// <summary>Advice: a change that an operator could make.</summary>
/// <param name="Stage">Where it pinches; null: about a client or the machine.</param>
/// <param name="LimitName">The key below <c>Limits:</c> that is meant, if any.</param>
/// <param name="Text">A sentence, fit to be printed.</param>
public sealed record Advice(AdmissionStage? Stage, string? LimitName, string Text);
