namespace Gateway.Mqtt.States;

public enum MqttClientState
{
    /// <summary>Not started.</summary>
    Idle,

    /// <summary>An attempt is under way.</summary>
    Connecting,

    Connected,

    /// <summary>The broker refused us, or we refused its certificate. The client tries again.</summary>
    Refused,

    /// <summary>The connection ended, or did not come about. The client tries again.</summary>
    Lost,

    /// <summary>The client has ended and does not come back.</summary>
    Closed,
}
