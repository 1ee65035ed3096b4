namespace Gateway.Mqtt.Sessions;

internal enum SubscriptionState
{
    /// <summary>SUBSCRIBE must go.</summary>
    Wanted,

    /// <summary>SUBSCRIBE has gone, SUBACK has not come.</summary>
    Asked,

    Granted,

    /// <summary>SUBACK came with a failure, or the broker's limits forbid it; asked again on the next connection.
    /// </summary>
    Refused,

    /// <summary>The broker ended MaxResends connections for it; not asked again.</summary>
    GivenUp,

    /// <summary>UNSUBSCRIBE must go.</summary>
    Unwanted,

    /// <summary>UNSUBSCRIBE has gone, UNSUBACK has not come.</summary>
    Leaving,
}
