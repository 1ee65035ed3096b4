using System.Diagnostics;
using Gateway.Testing;
using Gateway.Transport.Tracing;

namespace Gateway.Transport.Tests.Tracing;

/// <summary>Who is traced, before a span is made.</summary>
public sealed class RequestTracingTests : IDisposable
{
    private readonly ManualTimeProvider _time = new();
    private readonly ActivityListener _listener = new()
    {
        ShouldListenTo = static source => source.Name == RequestTracing.SourceName,
        Sample = static (ref ActivityCreationOptions<ActivityContext> _) =>
            ActivitySamplingResult.AllDataAndRecorded,
    };

    public RequestTracingTests() => ActivitySource.AddActivityListener(_listener);

    public void Dispose() => _listener.Dispose();

    [Fact]
    public void Start_Off_NothingAndNoByte()
    {
        using var tracing = new RequestTracing(TracingOptions.Off, _time);
        var asked = Asked(ActivityTraceFlags.Recorded);
        Assert.Null(tracing.Start("Read", ActivityKind.Server, asked));

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 1000; i++)
            tracing.Start("Read", ActivityKind.Server, asked);

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Start_OnAndNotSampled_NoByte()
    {
        using var tracing = Make(ratio: 0);
        Assert.Null(tracing.Start("Read", ActivityKind.Server, default));

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 1000; i++)
            tracing.Start("Read", ActivityKind.Server, default);

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Start_AskedOften_AsManyASecondAsMay()
    {
        using var tracing = Make(ratio: 0, asked: 2);

        Assert.Equal([true, true, false, false], Tries(tracing, 4));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal([true, true, false], Tries(tracing, 3));
        Assert.Equal((4, 3), (tracing.Asked, tracing.AskedAbove));
    }

    [Fact]
    public void Start_InsideATracedRequest_ItsChildWhateverTheRatio()
    {
        using var tracing = Make(ratio: 0);
        using var outer = tracing.Start("GET", ActivityKind.Server, Asked(ActivityTraceFlags.Recorded));
        using var inner = tracing.Start("Read", ActivityKind.Server, default);

        Assert.Equal(outer!.SpanId, inner!.ParentSpanId);
    }

    [Fact]
    public void Current_SpanThatHasEnded_IsNone()
    {
        using var tracing = Make(ratio: 1);
        var span = tracing.Start("Read", ActivityKind.Server, default);
        Assert.Same(span, RequestTracing.Current);

        span!.Stop();
        Activity.Current = span;

        Assert.Null(RequestTracing.Current);
        Activity.Current = null;
    }

    private static ActivityContext Asked(ActivityTraceFlags flags) =>
        new(ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), flags, isRemote: true);

    private static bool[] Tries(RequestTracing tracing, int count)
    {
        var tries = new bool[count];
        for (var i = 0; i < count; i++)
        {
            using var span = tracing.Start("Read", ActivityKind.Server, Asked(ActivityTraceFlags.Recorded));
            tries[i] = span is not null;
        }

        return tries;
    }

    private RequestTracing Make(double ratio, int asked = 10) =>
        new(new TracingOptions { IsOn = true, SampleRatio = ratio, MaxAskedPerSecond = asked }, _time);
}
