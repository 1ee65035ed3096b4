using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Client.Requests;

/// <summary>The fields that the connection adds to a request's header.</summary>
internal readonly record struct RequestStamp(
    NodeId AuthenticationToken, uint Handle, DateTime Timestamp, uint TimeoutMs)
{
    public RequestHeader Apply(RequestHeader header) => header with
    {
        AuthenticationToken = AuthenticationToken,
        RequestHandle = Handle,
        Timestamp = Timestamp,
        TimeoutHint = TimeoutMs,
    };
}
