using System.Numerics;
using System.Runtime.InteropServices;

namespace Gateway.Store.Records;

/// <summary>CRC-32C (Castagnoli), by the processor's instruction where there is one. Source: RFC 3720 §12.1.</summary>
public static class Crc32C
{
    /// <param name="seed">0 for the plain checksum.</param>
    public static uint Of(ReadOnlySpan<byte> bytes, uint seed = 0)
    {
        var crc = ~seed;
        var words = MemoryMarshal.Cast<byte, ulong>(bytes);
        foreach (var word in words)
            crc = BitOperations.Crc32C(crc, BitConverter.IsLittleEndian ? word : Swap(word));
        foreach (var single in bytes[(words.Length * sizeof(ulong))..])
            crc = BitOperations.Crc32C(crc, single);
        return ~crc;
    }

    private static ulong Swap(ulong word) => System.Buffers.Binary.BinaryPrimitives.ReverseEndianness(word);
}
