namespace Gateway.Sources.OpcUa.Load;

/// <summary>A <see cref="RequestGate"/> at one time.</summary>
/// <param name="Concurrency">Requests at a time, now.</param>
/// <param name="Pace">The share of the budget's rates, now.</param>
/// <param name="Waiting">Requests that wait for their turn.</param>
/// <param name="UnderWay">Requests that wait for their answers.</param>
/// <param name="LastCause">Of the last time that the upstream got less; null: never.</param>
/// <param name="LastCutAt">That time.</param>
/// <param name="Cuts">How often, by cause.</param>
internal readonly record struct GateState(
    int Concurrency, double Pace, int Waiting, int UnderWay, LoadCause? LastCause, DateTimeOffset LastCutAt,
    long[] Cuts);
