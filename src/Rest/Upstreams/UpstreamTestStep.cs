namespace Gateway.Rest.Upstreams;

/// <summary>One step of a try to connect. Texts of the server are escaped and cut (R24).</summary>
/// <param name="Step">The step.</param>
/// <param name="State">ok, fault or skipped.</param>
/// <param name="Words">The result.</param>
/// <param name="Remedy">Empty: none.</param>
/// <param name="Took">That it took.</param>
public sealed record UpstreamTestStep(string Step, string State, string Words, string Remedy, TimeSpan Took);
