using System.Diagnostics;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Conversation;
using Gateway.Transport.Tracing;

namespace Gateway.Client.Requests;

/// <summary>The span of a request to a server, for a caller whose own request is traced. It travels in the request's
/// AdditionalHeader (<see cref="TraceContextHeader"/>).</summary>
internal static class ClientSpan
{
    private const string Suffix = "Request";

    /// <summary>Null where nobody takes spans any more.</summary>
    public static Activity? Start<TRequest>(Activity outer, TRequest request, SecureChannel? channel)
        where TRequest : class, IServiceRequest
    {
        var name = typeof(TRequest).Name;
        if (name.EndsWith(Suffix, StringComparison.Ordinal))
            name = name[..^Suffix.Length];
        var span = outer.Source.StartActivity(name, ActivityKind.Client);
        if (span is null)
            return null;
        span.SetTag(SpanTags.Service, name).SetTag(SpanTags.ServerAddress, channel?.RemoteEndPoint?.ToString());
        request.RequestHeader = request.RequestHeader with { AdditionalHeader = TraceContextHeader.Of(span) };
        return span;
    }

    public static void Fail(Activity? span, StatusCode status) =>
        span?.SetTag(SpanTags.Status, status.ToString()).SetStatus(ActivityStatusCode.Error, status.ToString());
}
