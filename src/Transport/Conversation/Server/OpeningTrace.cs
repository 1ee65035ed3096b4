using System.Diagnostics;
using System.Net;
using Gateway.Transport.Tracing;

namespace Gateway.Transport.Conversation;

/// <summary>The span of a connection from its accept to its SecureChannel, or to its end without one. It is made when
/// that is over, because the messages come on different threads. Exists only where the opening is traced. Threads: one
/// message at a time.</summary>
internal sealed class OpeningTrace(RequestTracing tracing, TimeProvider time, long acceptedAt)
{
    private const string Name = "OpenSecureChannel";

    private readonly List<(string Name, long At)> _events = [];

    /// <summary>A message of it has come.</summary>
    public void Take(string message) => _events.Add((message, time.GetTimestamp()));

    public void Opened(SecureChannel channel) => End(span => span
        .SetTag(SpanTags.Transport, channel.Profile.Scheme)
        .SetTag(SpanTags.SecurityPolicy, channel.Policy.Name)
        .SetTag(SpanTags.SecurityMode, channel.SecurityMode.ToString())
        .SetTag(SpanTags.ClientAddress, AddressOf(channel.RemoteEndPoint)));

    /// <summary>Without a channel.</summary>
    public void Ended(ConnectionEnd end, EndPoint? remote) => End(span => span
        .SetTag(SpanTags.CloseReason, end.Reason.ToString())
        .SetTag(SpanTags.Status, end.Status.ToString())
        .SetTag(SpanTags.ClientAddress, AddressOf(remote))
        .SetStatus(ActivityStatusCode.Error));

    private static string? AddressOf(EndPoint? remote) => (remote as IPEndPoint)?.Address.ToString();

    private void End(Action<Activity> describe)
    {
        var (now, until) = (time.GetTimestamp(), time.GetUtcNow());
        tracing.Record(Name, At(acceptedAt), until, span =>
        {
            foreach (var (name, at) in _events)
                span.AddEvent(new ActivityEvent(name, At(at)));
            describe(span);
        });

        DateTimeOffset At(long timestamp) => until - time.GetElapsedTime(timestamp, now);
    }
}
