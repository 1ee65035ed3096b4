using Gateway.Admission.Stages;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Server.Dispatch;
using Gateway.Transport.Conversation;

namespace Gateway.Server.Sessions;

/// <summary>Where a session's notifications go while it is on this channel.</summary>
internal sealed class SessionOutput(SecureChannel channel, uint maxResponseBytes, ServiceAdmission admission)
    : INotificationOutput
{
    public int MaxResponseSizeBytes => maxResponseBytes == 0 || maxResponseBytes > int.MaxValue
        ? channel.MaxResponseSizeBytes
        : channel.MaxResponseSizeBytes == 0
            ? (int)maxResponseBytes
            : Math.Min(channel.MaxResponseSizeBytes, (int)maxResponseBytes);

    public bool IsOpen => channel.IsOpen;

    public StatusCode Send(PooledBuffer message, uint requestId) => channel.Send(message, requestId);

    public void Flush() => channel.Flush();

    public void OnPublishRequestRefused() =>
        admission.Refuse(AdmissionStage.Publish, RefusalReason.PublishRequests, channel);
}
