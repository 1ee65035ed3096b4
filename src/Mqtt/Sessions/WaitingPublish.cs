using Gateway.Mqtt.Messages;

namespace Gateway.Mqtt.Sessions;

/// <summary>A publish that waits for room; the message is still the caller's memory.</summary>
internal readonly record struct WaitingPublish(MqttMessage Message, PublishCompletion Completion);
