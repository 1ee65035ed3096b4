namespace Gateway.Mqtt.States;

/// <summary>The publishes of one client that have not ended, at one moment.</summary>
/// <param name="InFlight">QoS 1 messages that hold a place of <c>MaxInFlight</c>, sent or not.</param>
/// <param name="Unacknowledged">Those of them that were sent on this connection and wait for their PUBACK; at most the
/// broker's Receive Maximum.</param>
/// <param name="Waiting">Publishes that wait for a place: at <c>MaxWaitingPublishes</c> the next one ends as QueueFull.
/// </param>
/// <param name="InFlightBytes">Bytes of the callers' memory that the messages in flight keep.</param>
/// <param name="OldestAge">Since the call of the oldest publish that has not ended; zero: all have ended.</param>
public readonly record struct MqttOutboundGauges(
    int InFlight, int Unacknowledged, int Waiting, int InFlightBytes, TimeSpan OldestAge);
