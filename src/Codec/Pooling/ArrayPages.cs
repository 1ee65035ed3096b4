using System.Runtime.InteropServices;

namespace Gateway.Codec.Pooling;

/// <summary>The memory below an array that is idle. It goes back to the system at once, where letting go of the array
/// would wait for a collection that stops all threads. Threads: any; the array is the caller's alone. Source:
/// madvise(2).</summary>
internal static partial class ArrayPages
{
    private const int DontNeed = 4;

    /// <summary>Gives all pages back that lie wholly inside the array, which may be used again: they then hold zeros.
    /// Does nothing where the system cannot.</summary>
    /// <param name="pinned">Allocated pinned, so that it does not move meanwhile.</param>
    public static void Release(byte[] pinned)
    {
        if (!OperatingSystem.IsLinux())
            return;
        var page = Environment.SystemPageSize;
        var address = Marshal.UnsafeAddrOfPinnedArrayElement(pinned, 0);
        var first = (address + page - 1) & -page;
        var end = (address + pinned.Length) & -page;
        if (end > first)
            _ = Advise(first, (nuint)(end - first), DontNeed);
        GC.KeepAlive(pinned);
    }

    [LibraryImport("libc", EntryPoint = "madvise")]
    private static partial int Advise(nint address, nuint bytes, int advice);
}
