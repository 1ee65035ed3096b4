using Gateway.Codec.Types;

namespace Gateway.Codec.Binary;

/// <summary>DataValue: mask byte (1 value, 2 status, 4 source time, 8 server time, 0x10 source ps, 0x20 server ps),
/// then the present fields in the order value, status, source time, source ps, server time, server ps.
/// Source: Part 6 §5.2.2.17.</summary>
internal static class DataValueBinary
{
    public const byte HasValue = 0x01;
    public const byte HasStatus = 0x02;
    public const byte HasSourceTimestamp = 0x04;
    public const byte HasServerTimestamp = 0x08;
    public const byte HasSourcePicoseconds = 0x10;
    public const byte HasServerPicoseconds = 0x20;

    public static DataValue Read(ref UaBinaryReader reader)
    {
        if (!reader.TryEnter())
            return default;
        var mask = reader.ReadByte();
        var value = (mask & HasValue) != 0 ? reader.ReadVariant() : default;
        var status = (mask & HasStatus) != 0 ? reader.ReadStatusCode() : default;
        var source = (mask & HasSourceTimestamp) != 0 ? reader.ReadDateTime() : default;
        var sourcePs = (mask & HasSourcePicoseconds) != 0 ? reader.ReadUInt16() : default;
        var server = (mask & HasServerTimestamp) != 0 ? reader.ReadDateTime() : default;
        var serverPs = (mask & HasServerPicoseconds) != 0 ? reader.ReadUInt16() : default;
        reader.Leave();
        return new DataValue(value, status, source, server, sourcePs, serverPs);
    }

    public static void Write(ref UaBinaryWriter writer, in DataValue value)
    {
        var hasSource = value.SourceTimestamp != default;
        var hasServer = value.ServerTimestamp != default;
        var mask = (value.Value.IsNull ? 0 : HasValue) | (value.Status.Code == 0 ? 0 : HasStatus) |
            (hasSource ? HasSourceTimestamp : 0) | (hasServer ? HasServerTimestamp : 0) |
            (hasSource && value.SourcePicoseconds != 0 ? HasSourcePicoseconds : 0) |
            (hasServer && value.ServerPicoseconds != 0 ? HasServerPicoseconds : 0);
        writer.WriteByte((byte)mask);
        if ((mask & HasValue) != 0)
            writer.WriteVariant(value.Value);
        if ((mask & HasStatus) != 0)
            writer.WriteStatusCode(value.Status);
        if (hasSource)
            writer.WriteDateTime(value.SourceTimestamp);
        if ((mask & HasSourcePicoseconds) != 0)
            writer.WriteUInt16(value.SourcePicoseconds);
        if (hasServer)
            writer.WriteDateTime(value.ServerTimestamp);
        if ((mask & HasServerPicoseconds) != 0)
            writer.WriteUInt16(value.ServerPicoseconds);
    }
}
