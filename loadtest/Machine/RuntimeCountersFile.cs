using System.IO.MemoryMappedFiles;
using System.Runtime.CompilerServices;

namespace Gateway.Loadtest.Machine;

/// <summary>Version 8 bytes, <see cref="RuntimeCounters"/>, version 8 bytes: equal where the reader saw one
/// writing.</summary>
internal static class RuntimeCountersFile
{
    private const int Tries = 1000;

    private static readonly int Size = Unsafe.SizeOf<RuntimeCounters>();

    public static long Length => Size + (2 * sizeof(long));

    public static void Write(MemoryMappedViewAccessor view, in RuntimeCounters counters)
    {
        var version = view.ReadInt64(0) + 1;
        view.Write(0, version);
        Thread.MemoryBarrier();
        var copy = counters;
        view.Write(sizeof(long), ref copy);
        Thread.MemoryBarrier();
        view.Write(sizeof(long) + Size, version);
    }

    /// <returns>Null before the first writing.</returns>
    public static RuntimeCounters? Read(MemoryMappedViewAccessor view)
    {
        for (var i = 0; i < Tries; i++)
        {
            var version = view.ReadInt64(sizeof(long) + Size);
            Thread.MemoryBarrier();
            view.Read(sizeof(long), out RuntimeCounters counters);
            Thread.MemoryBarrier();
            if (version == view.ReadInt64(0))
                return version == 0 ? null : counters;
        }

        return null;
    }
}
