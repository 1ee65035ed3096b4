namespace Gateway.PubSub.Trials;

/// <summary>One step of a try to connect to a broker, without text of the broker (R24).</summary>
/// <param name="Step">reach, tls, login or limits.</param>
/// <param name="State">ok, fault or skipped.</param>
/// <param name="Words">The result.</param>
/// <param name="Remedy">Empty: none.</param>
/// <param name="Took">That it took; zero: not known.</param>
public sealed record BrokerTrialStep(string Step, string State, string Words, string Remedy, TimeSpan Took);
