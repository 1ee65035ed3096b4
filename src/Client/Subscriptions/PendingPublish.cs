using Gateway.Client.Requests;
using Gateway.Codec.Types;

namespace Gateway.Client.Subscriptions;

/// <summary>A Publish request under way; owned and reused by its pump.</summary>
internal sealed class PendingPublish(PublishPump pump) : PendingRequest
{
    public override void Complete(ReadOnlySpan<byte> message) => pump.OnAnswer(this, message);

    public override void Fail(StatusCode status, string detail) => pump.OnFailed(this, status);
}
