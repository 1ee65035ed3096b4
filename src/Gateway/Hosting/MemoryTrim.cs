using System.Diagnostics.Metrics;
using System.Runtime;
using Gateway.Codec.Pooling;
using Gateway.Publish.Items;
using Gateway.Transport.Hosting;
using Gateway.Transport.Sockets;
using Gateway.Transport.Timing;

namespace Gateway.Host.Hosting;

/// <summary>Every few seconds: releases pooled arrays that were not used, and returns the memory of a load peak to the
/// system as <see cref="TrimPolicy"/> decides. Threads: the pool's, one call at a time.</summary>
internal sealed partial class MemoryTrim : IDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(4);

    private readonly TrimPolicy _policy = new();
    private readonly MemoryBudget _budget;
    private readonly Func<long> _stateBytes;
    private readonly TimeProvider _time;
    private readonly ILogger<MemoryTrim> _logger;
    private readonly Action<Exception> _logFault;
    private readonly Meter _meter = new("Gateway.Memory");
    private ITimer? _timer;
    private long _compactions;
    private long _pauseMicroseconds;
    private int _isRunning;

    /// <param name="budget">Half-received and unsent bytes.</param>
    /// <param name="stateBytes">See <see cref="MemoryFacts"/>.</param>
    /// <param name="time">For the interval.</param>
    /// <param name="logger">Logs each compaction.</param>
    public MemoryTrim(MemoryBudget budget, Func<long> stateBytes, TimeProvider time, ILogger<MemoryTrim> logger)
    {
        (_budget, _stateBytes, _time, _logger) = (budget, stateBytes, time, logger);
        _logFault = LogFailed;
        _meter.CreateObservableCounter("gateway_memory_compactions_total", () => Volatile.Read(ref _compactions), null,
            "Compactions of the heap after a flood.");
        _meter.CreateObservableCounter("gateway_memory_compaction_seconds_total",
            () => Volatile.Read(ref _pauseMicroseconds) / 1e6, "s", "Time that all threads stood still for them.");
        _meter.CreateObservableGauge("gateway_idle_buffer_bytes", () => ByteArrays.IdleBytes, "By",
            "Large buffers that wait to be used again.");
    }

    public void Start() => _timer = _time.CreateTimer(
        static self => ThreadPool.UnsafeQueueUserWorkItem(
            static trim => trim.Run(), (MemoryTrim)self!, preferLocal: false),
        this, Interval, Interval);

    public void Dispose()
    {
        _timer?.Dispose();
        _meter.Dispose();
    }

    private void Run()
    {
        if (Interlocked.Exchange(ref _isRunning, 1) != 0)
            return;
        try
        {
            ByteArrays.Trim();
            QueueArrays.Shared.Trim();
            switch (_policy.Next(Facts()))
            {
                case TrimStep.Look:
                    NativeHeap.Trim();
                    GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: false);
                    break;
                case TrimStep.Compact:
                    Compact();
                    break;
            }
        }
#pragma warning disable CA1031 // An exception would end the process (R40); the next turn comes in four seconds.
        catch (Exception error)
#pragma warning restore CA1031
        {
            Contained.Report(error, _logFault);
        }
        finally
        {
            Volatile.Write(ref _isRunning, 0);
        }
    }

    private void Compact()
    {
        var before = Environment.WorkingSet;
        var since = _time.GetTimestamp();
        GCSettings.LargeObjectHeapCompactionMode = GCLargeObjectHeapCompactionMode.CompactOnce;
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        var pause = _time.GetElapsedTime(since);
        NativeHeap.Trim();
        var now = Facts();
        _policy.Compacted(now);
        Interlocked.Increment(ref _compactions);
        Interlocked.Add(ref _pauseMicroseconds, (long)pause.TotalMicroseconds);
        LogCompacted(before >> 20, now.ResidentBytes >> 20, pause.TotalMilliseconds);
    }

    private MemoryFacts Facts()
    {
        var heap = GC.GetGCMemoryInfo(GCKind.Any);
        return new MemoryFacts(
            Environment.WorkingSet, GC.GetTotalAllocatedBytes(), _budget.TotalBytes + ByteArrays.IdleBytes,
            heap.HeapSizeBytes - heap.FragmentedBytes, heap.TotalCommittedBytes, _stateBytes(),
            Math.Max(
                GC.GetGCMemoryInfo(GCKind.Background).Index, GC.GetGCMemoryInfo(GCKind.FullBlocking).Index));
    }

    [LoggerMessage(EventId = 8050, Level = LogLevel.Error,
        Message = "A fault of ours ended a turn of giving memory back. The next one comes in four seconds")]
    private partial void LogFailed(Exception exception);

    [LoggerMessage(EventId = 8051, Level = LogLevel.Information,
        Message = "Gave memory of a flood back: {Before} MiB resident before, {After} MiB now. It took {Pause:0} ms.")]
    private partial void LogCompacted(long before, long after, double pause);
}
