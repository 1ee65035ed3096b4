namespace Gateway.Mqtt.Tests.RealPeers;

/// <summary>Third-party programs that a test needs.</summary>
internal enum MqttPeer
{
    /// <summary>The broker and its clients.</summary>
    Mosquitto,

    /// <summary>mqtt.js, with a mosquitto between.</summary>
    MqttJs,
}
