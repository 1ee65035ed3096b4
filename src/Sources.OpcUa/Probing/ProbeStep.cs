namespace Gateway.Sources.OpcUa.Probing;

/// <summary>One step of a try to connect.</summary>
/// <param name="Step">One of reach, security, certificate, session, user, read.</param>
/// <param name="State">ok, fault, or skipped because an earlier one failed.</param>
/// <param name="Words">The result.</param>
public sealed record ProbeStep(string Step, string State, string Words)
{
    public const string Ok = "ok";
    public const string Fault = "fault";
    public const string Skipped = "skipped";

    /// <summary>Advice; empty where nothing is known or to be done.</summary>
    public string Remedy { get; init; } = "";

    /// <summary>That it took; 0 where it was not measured alone.</summary>
    public TimeSpan Took { get; init; }
}
