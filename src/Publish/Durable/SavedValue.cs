using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Publish.Durable;

/// <summary>A value as it lies in a file that is in memory.</summary>
internal readonly record struct SavedValue(
    ReadOnlyMemory<byte> Variant, StatusCode Status, long SourceTicks, long ServerTicks, ushort Picoseconds)
{
    /// <param name="reader">Of the record.</param>
    /// <param name="record">The same bytes.</param>
    public static SavedValue Read(ref UaBinaryReader reader, ReadOnlyMemory<byte> record)
    {
        var length = reader.ReadByteStringSpan().Length;
        var variant = reader.Failed ? default : record.Slice(reader.Position - length, length);
        var value = new SavedValue(
            variant, reader.ReadStatusCode(), reader.ReadInt64(), reader.ReadInt64(), reader.ReadUInt16());
        if (!IsTime(value.SourceTicks) || !IsTime(value.ServerTicks))
            reader.Fail(StatusCodes.BadDecodingError);
        return value;
    }

    /// <summary>The caller's, who releases it.</summary>
    public SharedValue Make(ValueStore store) => store.MakeEncoded(
        Variant.Span, Status, TimeOf(SourceTicks), TimeOf(ServerTicks), Picoseconds);

    /// <summary>0: it is absent.</summary>
    private static DateTime TimeOf(long ticks) => ticks == 0 ? default : new DateTime(ticks, DateTimeKind.Utc);

    private static bool IsTime(long ticks) => ticks >= 0 && ticks <= DateTime.MaxValue.Ticks;
}
