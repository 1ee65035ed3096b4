namespace Gateway.Loadtest.Observers;

/// <summary>One newcomer's way in.</summary>
/// <param name="AtSeconds">When it began, from the start of the measurement.</param>
/// <param name="ActiveMs">From there to the active session, over all attempts; NaN: never.</param>
/// <param name="Attempts">How many it took.</param>
/// <param name="Refusal">Of the last attempt that failed; empty: none did.</param>
internal sealed record Newcomer(double AtSeconds, double ActiveMs, int Attempts, string Refusal);
