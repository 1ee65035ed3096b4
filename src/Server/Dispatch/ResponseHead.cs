using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Server.Dispatch;

/// <summary>
/// The start of every response:
/// <c>TypeId (4) | Timestamp (8) | RequestHandle (4) | ServiceResult (4) | ServiceDiagnostics 00 |
/// StringTable FFFFFFFF | AdditionalHeader 00 00 00</c>. TypeId is the four-byte form 01 00 id16. Source: Part 4 §7.33.
/// </summary>
internal static class ResponseHead
{
    /// <summary>The encoding id of ServiceFault.</summary>
    private const uint ServiceFaultId = 397;

    public static void Write(ref UaBinaryWriter writer, uint encodingId, DateTime now, uint handle, StatusCode result)
    {
        WriteTypeId(ref writer, encodingId);
        writer.WriteDateTime(now);
        writer.WriteUInt32(handle);
        writer.WriteStatusCode(result);
        writer.WriteByte(0);
        writer.WriteInt32(-1);
        writer.WriteByte(0);
        writer.WriteByte(0);
        writer.WriteByte(0);
    }

    public static void WriteFault(ref UaBinaryWriter writer, DateTime now, uint handle, StatusCode result) =>
        Write(ref writer, ServiceFaultId, now, handle, result);

    public static void WriteTypeId(ref UaBinaryWriter writer, uint encodingId)
    {
        writer.WriteByte(1);
        writer.WriteByte(0);
        writer.WriteUInt16((ushort)encodingId);
    }
}
