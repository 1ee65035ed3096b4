using System.Globalization;
using System.Text;
using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.PubSub.Uadp;

/// <summary>The PublisherId with its type: a number of one to eight bytes, or a String. Numbers of different types are
/// different publishers. Source: Part 14 §6.2.7.1, §7.2.4.4.2.</summary>
internal readonly record struct UadpPublisherId
{
    /// <summary>Longer ones are refused, on both ways: each message repeats it.</summary>
    public const int MaxTextBytes = 512;

    private UadpPublisherId(UadpPublisherIdType type, ulong number, string? text) =>
        (Type, Number, Text) = (type, number, text);

    public UadpPublisherIdType Type { get; }

    public ulong Number { get; }

    /// <summary>Null for a number.</summary>
    public string? Text { get; }

    /// <summary>On the wire.</summary>
    public int SizeBytes => Type switch
    {
        UadpPublisherIdType.Byte => 1,
        UadpPublisherIdType.UInt16 => 2,
        UadpPublisherIdType.UInt32 => 4,
        UadpPublisherIdType.UInt64 => 8,
        _ => sizeof(int) + Encoding.UTF8.GetByteCount(Text ?? string.Empty),
    };

    public static UadpPublisherId Of(byte number) => new(UadpPublisherIdType.Byte, number, null);

    public static UadpPublisherId Of(ushort number) => new(UadpPublisherIdType.UInt16, number, null);

    public static UadpPublisherId Of(uint number) => new(UadpPublisherIdType.UInt32, number, null);

    public static UadpPublisherId Of(ulong number) => new(UadpPublisherIdType.UInt64, number, null);

    public static UadpPublisherId Of(string text) => new(UadpPublisherIdType.String, 0, text);

    /// <summary>The text of the configuration in the type that the configuration names. False: no decimal number, one
    /// that the type cannot hold, or a text of no or too many bytes.</summary>
    public static bool TryParse(string text, UadpPublisherIdType type, out UadpPublisherId id)
    {
        id = Of(text);
        if (type == UadpPublisherIdType.String)
            return text.Length > 0 && Encoding.UTF8.GetByteCount(text) <= MaxTextBytes;
        if (!ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number))
            return false;
        id = new(type, number, null);
        return type == UadpPublisherIdType.UInt64 || number >> (8 * id.SizeBytes) == 0;
    }

    public void Write(ref UaBinaryWriter writer)
    {
        switch (Type)
        {
            case UadpPublisherIdType.Byte:
                writer.WriteByte((byte)Number);
                break;
            case UadpPublisherIdType.UInt16:
                writer.WriteUInt16((ushort)Number);
                break;
            case UadpPublisherIdType.UInt32:
                writer.WriteUInt32((uint)Number);
                break;
            case UadpPublisherIdType.UInt64:
                writer.WriteUInt64(Number);
                break;
            default:
                writer.WriteString(Text);
                break;
        }
    }

    /// <summary>As a PubSubConnection has it.</summary>
    public Variant ToVariant() => Type switch
    {
        UadpPublisherIdType.Byte => new Variant((byte)Number),
        UadpPublisherIdType.UInt16 => new Variant((ushort)Number),
        UadpPublisherIdType.UInt32 => new Variant((uint)Number),
        UadpPublisherIdType.UInt64 => new Variant(Number),
        _ => new Variant(Text),
    };

    /// <summary>As a PublisherId is written in JSON and in topics.</summary>
    public override string ToString() => Text ?? Number.ToString(CultureInfo.InvariantCulture);
}
