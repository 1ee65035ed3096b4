using Gateway.Admission.Stages;

namespace Gateway.Admission.Explain;

/// <summary>The traffic of a stage during an interval.</summary>
/// <param name="Over">How long that was: less than asked for just after the start.</param>
/// <param name="Admitted">Let in.</param>
/// <param name="Queued">Made to wait first.</param>
/// <param name="Shed">Refused; only reasons that occurred.</param>
public sealed record StageFlow(
    TimeSpan Over, long Admitted, long Queued, IReadOnlyList<KeyValuePair<RefusalReason, long>> Shed)
{
    public long Refused => Shed.Sum(one => one.Value);
}
