using System.Buffers.Binary;

namespace Gateway.Store.Marks;

/// <summary>Writes the content of a marks file; the bounds of its parts make it fit.</summary>
internal ref struct MarksWriter(Span<byte> bytes)
{
    private readonly Span<byte> _bytes = bytes;

    public int Length { get; private set; }

    public void Write(long value)
    {
        BinaryPrimitives.WriteInt64LittleEndian(_bytes[Length..], value);
        Length += sizeof(long);
    }

    public void Write(int value)
    {
        BinaryPrimitives.WriteInt32LittleEndian(_bytes[Length..], value);
        Length += sizeof(int);
    }

    public void Write(uint value) => Write((int)value);

    public void Write(Gap gap)
    {
        Write((int)gap.Reason);
        Write(gap.From);
        Write(gap.To);
        Write(gap.Count);
        Write(gap.FirstTicks);
        Write(gap.LastTicks);
        Write(gap.Writers.Count);
        foreach (var (writer, count) in gap.Writers)
        {
            BinaryPrimitives.WriteUInt16LittleEndian(_bytes[Length..], writer);
            Length += sizeof(ushort);
            Write(count);
        }
    }
}
