using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Loadtest.Scenarios.PubSub;

/// <summary>UADP with the headers that the gateway writes over a broker: a PublisherId of text, one DataSetWriterId,
/// fields as DataValues of a Double with its times. Field i of writer w is tag (w − 1) × fields + i. It refuses
/// all else. Source: Part 14 §7.2.4.</summary>
internal sealed class UadpDecoder(int fieldsPerWriter) : IMessageDecoder
{
    private const int Flags = 0x80 | 0x40 | 0x10 | 1;
    private const int TextPublisher = 4;
    private const int FieldEncoding = 0x06;
    private const int DataValues = 0x04;

    public bool TryRead(ReadOnlySpan<byte> message, PublishedCheck check)
    {
        var reader = new UaBinaryReader(message);
        if (reader.ReadByte() != Flags || reader.ReadByte() != TextPublisher)
            return false;
        reader.SkipString();
        if (reader.ReadByte() != 1)
            return false;
        var writer = reader.ReadUInt16();
        var flags1 = reader.ReadByte();
        var flags2 = (flags1 & 0x80) != 0 ? reader.ReadByte() : 0;
        var sequence = (flags1 & 0x08) != 0 ? reader.ReadUInt16() : 0u;
        reader.Skip(
            ((flags2 & 0x10) != 0 ? 8 : 0) + ((flags2 & 0x20) != 0 ? 2 : 0) + ((flags1 & 0x10) != 0 ? 2 : 0) +
            ((flags1 & 0x20) != 0 ? 4 : 0) + ((flags1 & 0x40) != 0 ? 4 : 0));
        var kind = (flags2 & 0x0F) switch
        {
            0 => FrameKind.KeyFrame,
            1 => FrameKind.DeltaFrame,
            _ => FrameKind.KeepAlive,
        };
        if (reader.Failed || writer == 0 || (kind != FrameKind.KeepAlive && (flags1 & FieldEncoding) != DataValues))
            return false;
        check.Begin(writer, sequence, kind);
        return kind == FrameKind.KeepAlive || TryReadFields(ref reader, (writer - 1) * fieldsPerWriter, kind, check);
    }

    private static bool TryReadFields(ref UaBinaryReader reader, int firstTag, FrameKind kind, PublishedCheck check)
    {
        var count = reader.ReadUInt16();
        for (var i = 0; i < count && !reader.Failed; i++)
        {
            var index = kind == FrameKind.DeltaFrame ? reader.ReadUInt16() : i;
            var members = reader.ReadByte();
            var value = double.NaN;
            if ((members & 0x01) != 0)
            {
                if (reader.ReadByte() != (byte)BuiltInType.Double)
                    return false;
                value = reader.ReadDouble();
            }

            reader.Skip((members & 0x02) != 0 ? 4 : 0);
            var time = (members & 0x04) != 0 ? reader.ReadDateTime() : default;
            reader.Skip(
                ((members & 0x10) != 0 ? 2 : 0) + ((members & 0x08) != 0 ? 8 : 0) + ((members & 0x20) != 0 ? 2 : 0));
            check.Add(firstTag + index, value, time);
        }

        return !reader.Failed && reader.Remaining == 0;
    }
}
