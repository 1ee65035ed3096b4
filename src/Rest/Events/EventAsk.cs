namespace Gateway.Rest.Events;

/// <summary>Which events a client wants, in its own words.</summary>
/// <param name="Types">Ids or names of types; none: all.</param>
/// <param name="MinSeverity">Null: all.</param>
/// <param name="Fields">None: <see cref="Gateway.Events.Plain.PlainFields.Usual"/>.</param>
/// <param name="Alarms">Null or <c>active</c>: first the alarms of interest.</param>
internal sealed record EventAsk(
    IReadOnlyList<string> Types, double? MinSeverity, IReadOnlyList<string> Fields, string? Alarms);
