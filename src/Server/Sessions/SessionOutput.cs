using Gateway.Admission.Stages;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Server.Dispatch;
using Gateway.Transport.Conversation;

namespace Gateway.Server.Sessions;

/// <summary>Where a session's notifications go while it is on this channel.</summary>
internal sealed class SessionOutput(SecureChannel channel, ServiceAdmission admission) : INotificationOutput
{
    public int MaxResponseSizeBytes => channel.MaxResponseSizeBytes;

    public StatusCode Send(PooledBuffer message, uint requestId) => channel.Send(message, requestId);

    public void Flush() => channel.Flush();

    public void OnPublishRequestRefused() =>
        admission.Refuse(AdmissionStage.Publish, RefusalReason.PublishRequests, channel);
}
