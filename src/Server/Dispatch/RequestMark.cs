using System.Diagnostics;
using Gateway.Codec.Types;
using Gateway.Transport.Tracing;

namespace Gateway.Server.Dispatch;

/// <summary>The measurements of a request: the time since its message was whole, and its span if it is traced. It ends
/// when the answer is handed to the channel. Travels with <see cref="ReplyTo"/>; default: nothing is measured.
/// </summary>
internal readonly struct RequestMark(ServiceEntry service, long since, Activity? span)
{
    private readonly ServiceEntry? _service = service;

    public long Since => since;

    /// <summary>Null for nearly every request.</summary>
    public Activity? Span => span;

    /// <summary>Makes the span that of the running code, on another thread than the one that began it.</summary>
    public void Enter()
    {
        if (span is { IsStopped: false })
            Activity.Current = span;
    }

    public void Note(string what)
    {
        if (span is { IsStopped: false })
            span.AddEvent(new ActivityEvent(what));
    }

    public void End(StatusCode status, ServerCounters counters, TimeProvider clock)
    {
        if (_service is not { } service)
            return;
        counters.OnAnswered(service, status, clock.GetElapsedTime(since));
        if (span is not null)
            End(span, status);
    }

    private static void End(Activity span, StatusCode status)
    {
        if (span.IsStopped)
            return;
        if (status.IsBad)
        {
            span.SetTag(SpanTags.Status, status.ToString());
            span.SetStatus(ActivityStatusCode.Error, status.ToString());
        }

        span.AddEvent(new ActivityEvent(nameof(ReplyTo.Send)));
        span.Stop();
    }
}
