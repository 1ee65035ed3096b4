using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Runtime;
using Gateway.Codec.Pooling;
using Gateway.Host.Hosting;

namespace Gateway.Host.Http;

/// <summary>The process on meter <c>Gateway.Process</c>. Measures only when a reader asks. Any thread.</summary>
internal sealed class ProcessMetrics : IDisposable
{
    private readonly Meter _meter = new("Gateway.Process");
    private readonly double _started = StartedAt();

    public void Start()
    {
        _meter.CreateObservableCounter("gateway_process_cpu_seconds_total",
            static () => Environment.CpuUsage.TotalTime.TotalSeconds, "s", "CPU time, user and system.");
        Gauge("gateway_process_resident_memory_bytes", static () => Environment.WorkingSet, "By",
            "Resident memory.");
        Gauge("gateway_process_open_descriptors", static () => OpenDescriptors.Count() ?? 0, null,
            "File descriptors open, sockets among them; 0 where the system does not say.");
        _meter.CreateObservableGauge("gateway_process_start_time_seconds", () => _started, "s",
            "When the process started, in seconds since 1970.");
        Gauge("gateway_thread_pool_threads", static () => ThreadPool.ThreadCount, null,
            "Threads of the runtime's pool; the sockets', shards' and key threads are not of it.");
        Gauge("gateway_thread_pool_queue_length", static () => ThreadPool.PendingWorkItemCount, null,
            "Work that waits for such a thread.");
        _meter.CreateObservableCounter("gateway_gc_collections_total", Collections, null,
            "Garbage collections by generation, each counted in its own alone.");
        _meter.CreateObservableCounter("gateway_gc_pause_seconds_total",
            static () => GC.GetTotalPauseDuration().TotalSeconds, "s", "Time in which the collector stopped all.");
        _meter.CreateObservableCounter("gateway_gc_allocated_bytes_total",
            static () => GC.GetTotalAllocatedBytes(), "By", "Managed bytes allocated.");
        Gauge("gateway_gc_heap_bytes", static () => GC.GetTotalMemory(forceFullCollection: false), "By",
            "Managed heap in use.");
        Gauge("gateway_gc_committed_bytes", static () => GC.GetGCMemoryInfo().TotalCommittedBytes, "By",
            "Managed heap committed at the last collection.");
        Gauge("gateway_rented_buffer_bytes", static () => ByteArrays.RentedBytes, "By",
            "Large buffers that are in use.");
        _meter.CreateObservableCounter("gateway_thread_pool_completed_total",
            static () => ThreadPool.CompletedWorkItemCount, null, "Work that such threads have done.");
        _meter.CreateObservableCounter("gateway_lock_contentions_total",
            static () => Monitor.LockContentionCount, null, "Times that a thread had to wait for a lock.");
        _meter.CreateObservableCounter("gateway_jit_seconds_total",
            static () => JitInfo.GetCompilationTime().TotalSeconds, "s", "Time in which methods were compiled.");
        _meter.CreateObservableGauge("gateway_build_info",
            static () => new Measurement<int>(1, Tag("version", ProductVersion.Text)), null,
            "1; the version is the label.");
    }

    public void Dispose() => _meter.Dispose();

    private void Gauge(string name, Func<long> value, string? unit, string description) =>
        _meter.CreateObservableGauge(name, value, unit, description);

    private static IEnumerable<Measurement<long>> Collections()
    {
        for (var generation = 0; generation <= GC.MaxGeneration; generation++)
        {
            // The runtime counts a collection of one generation in all lower ones too.
            var higher = generation < GC.MaxGeneration ? GC.CollectionCount(generation + 1) : 0;
            yield return new Measurement<long>(GC.CollectionCount(generation) - higher, Tag("generation", generation));
        }
    }

    private static double StartedAt()
    {
        using var process = Process.GetCurrentProcess();
        return (process.StartTime.ToUniversalTime() - DateTime.UnixEpoch).TotalSeconds;
    }

    private static KeyValuePair<string, object?> Tag(string name, object value) => new(name, value);
}
