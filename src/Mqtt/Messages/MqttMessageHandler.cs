namespace Gateway.Mqtt.Messages;

/// <summary>Takes messages, one after the other. PUBACK leaves when the task has ended. What it throws is counted, and
/// the message counts as taken.</summary>
public delegate ValueTask MqttMessageHandler(MqttReceived message);
