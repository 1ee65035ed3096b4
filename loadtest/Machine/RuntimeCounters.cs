using System.Runtime.InteropServices;

namespace Gateway.Loadtest.Machine;

/// <summary>The figures that a .NET process gives of itself; also the layout of the file that holds them.</summary>
/// <param name="Ticks">Monotonic time of the writing, in <see cref="TimeSpan"/> ticks.</param>
/// <param name="AllocatedBytes">Since the start, all threads; exact to an allocation context (8 KB) a thread.</param>
/// <param name="PauseTicks">All collections' pauses, in <see cref="TimeSpan"/> ticks.</param>
[StructLayout(LayoutKind.Sequential)]
internal readonly record struct RuntimeCounters(
    long Ticks,
    long AllocatedBytes,
    long Gen0,
    long Gen1,
    long Gen2,
    long PauseTicks,
    long HeapBytes);
