using System.Net;
using Gateway.Admission;
using Gateway.Admission.Clients;
using Gateway.Admission.Stages;
using Gateway.Transport.Conversation;

namespace Gateway.Server.Dispatch;

/// <summary>The stages of admission that the service layer stands for: CreateSession, ActivateSession, requests and
/// Publish requests of sessions. Thread-safe.</summary>
internal sealed class ServiceAdmission(AdmissionControl control)
{
    public StageBook Stages => control.Stages;

    /// <summary>Counts the refusal, keeps it for the operator and says when the client should come back.</summary>
    public Decision Refuse(
        AdmissionStage stage, RefusalReason reason, SecureChannel channel, string? detail = null) =>
        channel.Pass is { } pass
            ? control.Refuse(stage, reason, pass, detail)
            : control.Refuse(stage, reason, AddressOf(channel), null, detail);

    /// <summary>Counts what was taken from a client that is gone, and keeps it for the operator.</summary>
    public void Evicted(AdmissionStage stage, string address, string certificate, string detail) => control.Refuse(
        stage, RefusalReason.Evicted, address,
        certificate.Length > 0 ? control.Clients.FindCertificate(certificate) : null, detail);

    /// <summary>What its sessions and subscriptions count for; of no one: empty.</summary>
    public static string AddressOf(SecureChannel channel) =>
        channel.RemoteEndPoint is IPEndPoint remote ? AddressKey.Of(remote).ToString() : string.Empty;
}
