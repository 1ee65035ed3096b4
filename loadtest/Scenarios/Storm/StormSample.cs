namespace Gateway.Loadtest.Scenarios.Storm;

/// <summary>The storm at one moment.</summary>
/// <param name="Seconds">From its start.</param>
/// <param name="UnderWay">Clients that connect or wait.</param>
/// <param name="Active">Clients that are in.</param>
/// <param name="ServerBytes">Resident; NaN: not known.</param>
internal readonly record struct StormSample(double Seconds, int UnderWay, int Active, double ServerBytes);
