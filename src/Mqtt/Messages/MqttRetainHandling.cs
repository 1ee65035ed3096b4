namespace Gateway.Mqtt.Messages;

/// <summary>When the broker sends retained messages of a subscription; 3.1.1 always sends them.
/// Source: MQTT 5.0 §3.8.3.1.</summary>
public enum MqttRetainHandling : byte
{
    Send = 0,
    SendIfNew = 1,
    DoNotSend = 2,
}
