using System.Diagnostics;
using BenchmarkDotNet.Attributes;
using Gateway.Microbenchmarks.Tables;
using Gateway.Transport.Tracing;

namespace Gateway.Microbenchmarks.Transport;

/// <summary>What tracing adds to each request that is not traced.</summary>
[MemoryDiagnoser]
[Table(95, "Tracing",
    "The decision whether a request is traced: while tracing is off, while it is on and the request is not sampled, " +
    "and a span that is.")]
public class TracingBenchmarks : IDisposable
{
    private readonly RequestTracing _off = new(TracingOptions.Off, TimeProvider.System);
    private readonly RequestTracing _none = new(new TracingOptions { IsOn = true }, TimeProvider.System);
    private readonly RequestTracing _all = new(
        new TracingOptions { IsOn = true, SampleRatio = 1 }, TimeProvider.System);
    private readonly ActivityListener _listener = new()
    {
        ShouldListenTo = static source => source.Name == RequestTracing.SourceName,
        Sample = static (ref ActivityCreationOptions<ActivityContext> _) =>
            ActivitySamplingResult.AllDataAndRecorded,
    };

    [GlobalSetup]
    public void Setup() => ActivitySource.AddActivityListener(_listener);

    [GlobalCleanup]
    public void Dispose()
    {
        _listener.Dispose();
        _off.Dispose();
        _none.Dispose();
        _all.Dispose();
        GC.SuppressFinalize(this);
    }

    [Benchmark]
    public bool Off() => _off.Start("Read", ActivityKind.Server, default) is null;

    [Benchmark]
    public bool NotSampled() => _none.Start("Read", ActivityKind.Server, default) is null;

    [Benchmark]
    public bool Sampled()
    {
        using var span = _all.Start("Read", ActivityKind.Server, default);
        return span is null;
    }
}
