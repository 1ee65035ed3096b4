namespace Gateway.Fuzz.Transport;

/// <summary>Every way in which a recording is spoilt.</summary>
internal static class Mutations
{
    private static readonly uint[] HugeLengths = [0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0, 65536, 65537];

    public static IEnumerable<byte[]> CutAtEachByte(byte[] recorded) =>
        Enumerable.Range(0, recorded.Length + 1).Select(length => recorded[..length]);

    public static IEnumerable<byte[]> EachBitFlipped(byte[] recorded, int step = 1)
    {
        for (var bit = 0; bit < recorded.Length * 8; bit += step)
        {
            var spoilt = recorded.ToArray();
            spoilt[bit / 8] ^= (byte)(1 << (bit % 8));
            yield return spoilt;
        }
    }

    /// <summary>At every offset, so at every length field too.</summary>
    public static IEnumerable<byte[]> EachLengthHuge(byte[] recorded)
    {
        foreach (var length in HugeLengths)
        {
            for (var at = 0; at + 4 <= recorded.Length; at++)
            {
                var spoilt = recorded.ToArray();
                BitConverter.TryWriteBytes(spoilt.AsSpan(at), length);
                yield return spoilt;
            }
        }
    }

    public static IEnumerable<byte[]> Noise(byte[] prefix, int cases)
    {
        var random = new Random(1);
        for (var i = 0; i < cases; i++)
        {
            var noise = new byte[random.Next(1, 300)];
            random.NextBytes(noise);
            yield return [.. prefix, .. noise];
        }
    }
}
