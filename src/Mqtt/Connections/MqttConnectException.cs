using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Connections;

/// <summary>An attempt or a connection that ended: the one exception between a connection and the client's loop.
/// </summary>
internal sealed class MqttConnectException(
    MqttFault fault, MqttReasonCode reason = MqttReasonCode.Success, Exception? inner = null)
    : Exception(fault.Words(), inner)
{
    public MqttFault Fault => fault;

    public MqttReasonCode Reason => reason;

    /// <summary>The broker may have ended the connection for a packet of ours.</summary>
    public bool BlamesPacket => fault switch
    {
        MqttFault.ClosedByBroker or MqttFault.ClosedInPacket or MqttFault.SocketFailed or MqttFault.AckTimeout => true,
        MqttFault.DisconnectedByBroker => reason is not (
            MqttReasonCode.Success or MqttReasonCode.KeepAliveTimeout or MqttReasonCode.SessionTakenOver
            or MqttReasonCode.ServerShuttingDown or MqttReasonCode.ServerBusy or MqttReasonCode.ServerUnavailable
            or MqttReasonCode.ServerMoved or MqttReasonCode.UseAnotherServer
            or MqttReasonCode.ConnectionRateExceeded or MqttReasonCode.MaximumConnectTime),
        _ => false,
    };

    /// <summary>Only an operator can change it: there is no point in asking again soon.</summary>
    public bool NeedsOperator => fault == MqttFault.CertificateRejected || reason is
        MqttReasonCode.BadUserNameOrPassword or MqttReasonCode.NotAuthorized or MqttReasonCode.Banned
        or MqttReasonCode.ClientIdentifierNotValid or MqttReasonCode.UnsupportedProtocolVersion
        or MqttReasonCode.SessionTakenOver or MqttReasonCode.ServerMoved;
}
