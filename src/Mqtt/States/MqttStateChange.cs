using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.States;

/// <summary>A state that the client entered, and why.</summary>
/// <param name="State">Since now.</param>
/// <param name="Fault">None unless <paramref name="State"/> is Refused or Lost.</param>
/// <param name="Reason">The broker's, where it gave one.</param>
/// <param name="SessionPresent">Connected: the broker still had our session.</param>
/// <param name="Broker">Connected: what it allows; else null.</param>
/// <param name="Error">The exception below the fault, for a log; null: there was none.</param>
public sealed record MqttStateChange(
    MqttClientState State,
    MqttFault Fault = MqttFault.None,
    MqttReasonCode Reason = MqttReasonCode.Success,
    bool SessionPresent = false,
    MqttBrokerLimits? Broker = null,
    Exception? Error = null)
{
    /// <summary>One phrase without text of the broker (R24).</summary>
    public string Words => Fault == MqttFault.None
        ? State.ToString()
        : Reason == MqttReasonCode.Success ? Fault.Words() : $"{Fault.Words()}: {Reason.Words()}";
}
