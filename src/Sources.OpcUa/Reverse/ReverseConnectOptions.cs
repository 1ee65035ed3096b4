using System.Net;
using Gateway.Transport.Reverse;

namespace Gateway.Sources.OpcUa.Reverse;

/// <summary>Where servers connect to that cannot be connected to (<c>ReverseConnect:*</c>).</summary>
/// <param name="EndPoint">Null: nowhere.</param>
public sealed record ReverseConnectOptions(IPEndPoint? EndPoint)
{
    /// <summary>Descriptors that the listener uses at most.</summary>
    public int MaxDescriptors(IEnumerable<UpstreamOptions> upstreams) => EndPoint is null
        ? 0
        : ReverseListener.MaxDescriptors(
            upstreams.Where(static one => one.ReverseConnect).Sum(static one => one.BackupUrls.Length + 1));
}
