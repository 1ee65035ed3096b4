namespace Gateway.Events.Conditions;

/// <summary>Bounds of the conditions of one upstream, as they are now.</summary>
/// <param name="MaxConditions">Branches count, too.</param>
/// <param name="MaxBytes">Of their last notifications.</param>
public sealed record MirrorLimits(Func<int> MaxConditions, Func<long> MaxBytes);
