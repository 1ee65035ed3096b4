namespace Gateway.Loadtest.Scenarios.Storm;

/// <summary>A client that became active.</summary>
/// <param name="Seconds">From the storm's start.</param>
/// <param name="Attempts">With the one that succeeded.</param>
/// <param name="IsKnown">Its certificate was active before the storm.</param>
internal readonly record struct StormArrival(double Seconds, int Attempts, bool IsKnown);
