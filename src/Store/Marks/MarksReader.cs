using System.Buffers.Binary;

namespace Gateway.Store.Marks;

/// <summary>Reads the content of a marks file whose checksum is right.</summary>
internal ref struct MarksReader(ReadOnlySpan<byte> bytes)
{
    private ReadOnlySpan<byte> _bytes = bytes;

    public MarksSnapshot ReadAll()
    {
        var (generation, salt, next, mark) = (ReadInt64(), (uint)ReadInt32(), ReadInt64(), ReadInt64());
        var ranges = new (long From, long To)[ReadInt32()];
        for (var i = 0; i < ranges.Length; i++)
            ranges[i] = (ReadInt64(), ReadInt64());
        var gaps = new Gap[ReadInt32()];
        for (var i = 0; i < gaps.Length; i++)
            gaps[i] = ReadGap();
        return new MarksSnapshot(generation, salt, next, mark, ranges, gaps);
    }

    private Gap ReadGap()
    {
        var (reason, from, to, count) = ((GapReason)ReadInt32(), ReadInt64(), ReadInt64(), ReadInt64());
        var gap = new Gap(reason, from, ReadInt64()) { To = to, Count = count, LastTicks = ReadInt64() };
        for (var writers = ReadInt32(); writers > 0; writers--)
        {
            var writer = BinaryPrimitives.ReadUInt16LittleEndian(_bytes);
            _bytes = _bytes[sizeof(ushort)..];
            gap.Writers[writer] = ReadInt64();
        }

        return gap;
    }

    private long ReadInt64()
    {
        var value = BinaryPrimitives.ReadInt64LittleEndian(_bytes);
        _bytes = _bytes[sizeof(long)..];
        return value;
    }

    private int ReadInt32()
    {
        var value = BinaryPrimitives.ReadInt32LittleEndian(_bytes);
        _bytes = _bytes[sizeof(int)..];
        return value;
    }
}
