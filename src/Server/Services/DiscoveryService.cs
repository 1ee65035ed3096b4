using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Discovery;
using Gateway.Server.Dispatch;

namespace Gateway.Server.Services;

/// <summary>FindServers and GetEndpoints: served on every channel, without a session. Source: Part 4 §5.5.</summary>
internal sealed class DiscoveryService(ServerOptions options, EndpointCatalog catalog)
{
    public StatusCode FindServers(ref ServiceCall call)
    {
        if (!call.TryDecode<FindServersRequest>(out var request))
            return call.Whole.Status;
        var isAsked = request.ServerUris is null or { Length: 0 } ||
            request.ServerUris.Contains(options.ApplicationUri, StringComparer.Ordinal);
        var servers = isAsked
            ? [catalog.DescribeSelf(request.EndpointUrl, call.Channel.Connection.EndpointUrl)]
            : Array.Empty<ApplicationDescription>();
        return call.Reply(new FindServersResponse { Servers = servers });
    }

    public StatusCode GetEndpoints(ref ServiceCall call)
    {
        if (!call.TryDecode<GetEndpointsRequest>(out var request))
            return call.Whole.Status;
        var endpoints = catalog.Encoded(
            request.EndpointUrl, call.Channel.Connection.EndpointUrl, request.ProfileUris);
        var replyTo = call.ReplyTo;
        var buffer = replyTo.Begin(GetEndpointsResponse.BinaryEncodingId, replyTo.Now, out var writer);
        writer.WriteRaw(endpoints);
        return call.Finish(buffer, ref writer);
    }
}
