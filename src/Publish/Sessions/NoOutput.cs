using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;

namespace Gateway.Publish.Sessions;

/// <summary>Takes the place of a closed session's channel and user, so that subscriptions that outlive it hold on to
/// neither.</summary>
internal sealed class NoOutput : INotificationOutput, IItemAccess
{
    public static NoOutput Instance { get; } = new();

    public int MaxResponseSizeBytes => 0;

    public StatusCode Send(PooledBuffer message, uint requestId) => StatusCodes.BadSessionClosed;

    public void Flush()
    {
    }

    public StatusCode CheckMonitor(NodeHandle node, AttributeId attribute) => StatusCodes.BadSessionClosed;
}
