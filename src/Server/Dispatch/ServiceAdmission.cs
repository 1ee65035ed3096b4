using System.Net;
using Gateway.Admission;
using Gateway.Admission.Clients;
using Gateway.Admission.Stages;
using Gateway.Transport.Conversation;

namespace Gateway.Server.Dispatch;

/// <summary>The admission stages of the service layer: CreateSession, ActivateSession, requests and Publish requests.
/// Thread-safe.</summary>
internal sealed class ServiceAdmission(AdmissionControl control)
{
    public StageBook Stages => control.Stages;

    /// <summary>Counts the refusal, lists it for the operator and returns when the client should retry.</summary>
    public Decision Refuse(
        AdmissionStage stage, RefusalReason reason, SecureChannel channel, string? detail = null) =>
        channel.Pass is { } pass
            ? control.Refuse(stage, reason, pass, detail)
            : control.Refuse(stage, reason, AddressOf(channel), null, detail);

    /// <summary>Counts the eviction of a session or subscription whose client is gone, and lists it for the operator.
    /// </summary>
    public void Evicted(AdmissionStage stage, string address, string certificate, string detail) => control.Refuse(
        stage, RefusalReason.Evicted, address,
        certificate.Length > 0 ? control.Clients.FindCertificate(certificate) : null, detail);

    /// <summary>The address that the channel's sessions and subscriptions count for; empty when the channel has none.
    /// </summary>
    public static string AddressOf(SecureChannel channel) =>
        channel.RemoteEndPoint is IPEndPoint remote ? AddressKey.Of(remote).ToString() : string.Empty;
}
