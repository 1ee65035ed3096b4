namespace Gateway.Mqtt.Messages;

/// <summary>Takes messages, one after the other. PUBACK leaves when the task has ended. An exception is counted, and
/// the message counts as taken.</summary>
public delegate ValueTask MqttMessageHandler(MqttReceived message);
