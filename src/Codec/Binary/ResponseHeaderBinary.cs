using Gateway.Codec.Types;

namespace Gateway.Codec.Binary;

/// <summary>
/// The start of a response that is written without a structure:
/// <c>TypeId (4) | Timestamp (8) | RequestHandle (4) | ServiceResult (4) | ServiceDiagnostics 00 |
/// StringTable FFFFFFFF | AdditionalHeader 00 00 00</c>. Source: Part 4 §7.33.
/// </summary>
public static class ResponseHeaderBinary
{
    public static void Write(ref UaBinaryWriter writer, uint encodingId, DateTime now, uint handle, StatusCode result)
    {
        WriteStart(ref writer, encodingId, now, handle, result);
        writer.WriteByte(0);
        writer.WriteByte(0);
        writer.WriteByte(0);
    }

    /// <summary>All but the AdditionalHeader, an ExtensionObject that follows.</summary>
    public static void WriteStart(
        ref UaBinaryWriter writer, uint encodingId, DateTime now, uint handle, StatusCode result)
    {
        writer.WriteTypeId(encodingId);
        writer.WriteDateTime(now);
        writer.WriteUInt32(handle);
        writer.WriteStatusCode(result);
        writer.WriteByte(0);
        writer.WriteInt32(-1);
    }
}
