using System.Runtime.CompilerServices;

namespace Gateway.Codec.Binary;

/// <summary>The memory of decoded values, in bytes, rounded up: a reader charges it before it allocates.
/// </summary>
internal static class DecodedSize
{
    /// <summary>Header of an object on the heap, and its rounding up.</summary>
    public const int Object = 24;

    /// <summary>A boxed value of a Variant: the largest is a DataValue.</summary>
    public const int Box = 64;

    /// <summary>DiagnosticInfo's fields and its header.</summary>
    public const int DiagnosticInfo = 72;

    public static long OfString(int utf8Bytes) => Object + (2L * utf8Bytes);

    public static long OfArray<T>(int length) => Object + ((long)length * Unsafe.SizeOf<T>());

    public static long OfObject<T>() => Object + Unsafe.SizeOf<T>();
}
