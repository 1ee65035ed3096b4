using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Server.Dispatch;

/// <summary>
/// The start of every response:
/// <c>TypeId (4) | Timestamp (8) | RequestHandle (4) | ServiceResult (4) | ServiceDiagnostics 00 |
/// StringTable FFFFFFFF | AdditionalHeader 00 00 00</c>. TypeId is the four-byte form 01 00 id16. A fault that tells
/// when to come back has the AdditionalHeader <c>TypeId (4) | 01 | Length 31 | Count 1 | Key (ns 2, String) | Value
/// (Variant Int64)</c>, an AdditionalParametersType. Source: Part 4 §7.33, §7.1.
/// </summary>
internal static class ResponseHead
{
    private const byte ByteStringBody = 1;
    private const int RetryParameterBytes = 31;

    public static void Write(ref UaBinaryWriter writer, uint encodingId, DateTime now, uint handle, StatusCode result)
    {
        WriteStart(ref writer, encodingId, now, handle, result);
        writer.WriteByte(0);
        writer.WriteByte(0);
        writer.WriteByte(0);
    }

    /// <param name="writer">At the message's start.</param>
    /// <param name="now">On the wall clock.</param>
    /// <param name="handle">Of the request.</param>
    /// <param name="result">Bad.</param>
    /// <param name="retryAfterMs">0: nothing is said.</param>
    public static void WriteFault(
        ref UaBinaryWriter writer, DateTime now, uint handle, StatusCode result, int retryAfterMs)
    {
        if (retryAfterMs <= 0)
        {
            Write(ref writer, ServiceFault.BinaryEncodingId, now, handle, result);
            return;
        }

        WriteStart(ref writer, ServiceFault.BinaryEncodingId, now, handle, result);
        WriteTypeId(ref writer, AdditionalParametersType.BinaryEncodingId);
        writer.WriteByte(ByteStringBody);
        writer.WriteInt32(RetryParameterBytes);
        writer.WriteInt32(1);
        writer.WriteQualifiedName(new QualifiedName("RetryAfterMs"));
        writer.WriteVariant(new Variant((long)retryAfterMs));
    }

    /// <summary>All but the AdditionalHeader.</summary>
    private static void WriteStart(
        ref UaBinaryWriter writer, uint encodingId, DateTime now, uint handle, StatusCode result)
    {
        WriteTypeId(ref writer, encodingId);
        writer.WriteDateTime(now);
        writer.WriteUInt32(handle);
        writer.WriteStatusCode(result);
        writer.WriteByte(0);
        writer.WriteInt32(-1);
    }

    public static void WriteTypeId(ref UaBinaryWriter writer, uint encodingId)
    {
        writer.WriteByte(1);
        writer.WriteByte(0);
        writer.WriteUInt16((ushort)encodingId);
    }
}
