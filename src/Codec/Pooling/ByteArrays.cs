using System.Buffers;
using System.Runtime;

namespace Gateway.Codec.Pooling;

/// <summary>
/// Where bytes on their way get their arrays. Small ones come from the runtime's shared pool, which keeps few. Segments
/// and larger ones come from pools of our own: they reuse returned arrays, and <see cref="Trim"/> releases those that
/// were not needed since the last time, where the runtime's pool keeps tens of arrays of 16 MiB for minutes. They are
/// pinned, so that the memory of idle ones can go back to the system without a collection. Pool size: what was in use
/// at one time since the last trim, but no more than a share of the runtime's memory. Threads: any.
/// </summary>
public static class ByteArrays
{
    /// <summary>One full chunk with its headers and its seal.</summary>
    public const int SegmentBytes = 68 * 1024;

    private const int SharedBytes = 32 * 1024;

    /// <summary>Larger ones are made in steps, so that those that come back fit again.</summary>
    private const int LargeStepBytes = 64 * 1024;

    /// <summary>How much larger than asked for an array may be.</summary>
    private const int MostTimesLarger = 2;

    private const int WarmSegmentsBytes = 8 * 1024 * 1024;

    /// <summary>One of the largest messages.</summary>
    private const int WarmLargeBytes = 17 * 1024 * 1024;

    /// <summary>Of the memory that the runtime may use, one part in so many may be idle in each of the two pools.
    /// </summary>
    private const int IdleParts = 32;

    private static readonly long MostIdleBytes = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / IdleParts;
    private static readonly IdleArrays Segments = new(WarmSegmentsBytes, MostIdleBytes);
    private static readonly IdleArrays Large = new(WarmLargeBytes, MostIdleBytes);
    private static readonly MemoryReserve Reserve = MemoryReserve.OfProcess(MakeRoom);
    private static long _rented;

    /// <summary>Arrays of our own pools that wait to be used again.</summary>
    public static long IdleBytes => Segments.Bytes + Large.Bytes;

    /// <summary>Of them: those that are in use.</summary>
    public static long RentedBytes => Volatile.Read(ref _rented);

    public static byte[] Rent(int atLeastBytes)
    {
        if (atLeastBytes <= SharedBytes)
            return ArrayPool<byte>.Shared.Rent(atLeastBytes);
        var array = RentOwn(atLeastBytes);
        Interlocked.Add(ref _rented, array.Length);
        return array;
    }

    private static byte[] RentOwn(int atLeastBytes)
    {
        if (atLeastBytes <= SegmentBytes)
            return Segments.Take(SegmentBytes, SegmentBytes) ?? New(SegmentBytes);
        var size = (int)Math.Min(
            Array.MaxLength, ((long)atLeastBytes + LargeStepBytes - 1) / LargeStepBytes * LargeStepBytes);
        return Large.Take(atLeastBytes, (long)size * MostTimesLarger) ?? New(size);
    }

    /// <param name="array">Of <see cref="Rent"/>; must not be used any more.</param>
    /// <param name="clear">It held secrets.</param>
    public static void Return(byte[] array, bool clear = false)
    {
        if (array.Length <= SharedBytes)
        {
            ArrayPool<byte>.Shared.Return(array, clear);
            return;
        }

        if (clear)
            array.AsSpan().Clear();
        Interlocked.Add(ref _rented, -array.Length);
        (array.Length == SegmentBytes ? Segments : Large).Add(array);
    }

    /// <summary>Releases the arrays that were not needed since the last call.</summary>
    public static void Trim()
    {
        Segments.Trim();
        Large.Trim();
    }

    /// <summary>False: memory is short, and what is left of it is for what is small (R40).</summary>
    /// <param name="bytes">Of a large array or string, before it is made.</param>
    internal static bool Allows(long bytes) => Reserve.Allows(bytes);

    /// <summary>One that is too large to be kept is not pinned: the holes that such arrays leave would stay.</summary>
    private static byte[] New(int bytes) => Allows(bytes)
        ? GC.AllocateUninitializedArray<byte>(bytes, pinned: bytes <= MostIdleBytes)
        : throw new InsufficientMemoryException();

    private static void MakeRoom()
    {
        Segments.Clear();
        Large.Clear();
        GCSettings.LargeObjectHeapCompactionMode = GCLargeObjectHeapCompactionMode.CompactOnce;
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
    }
}
