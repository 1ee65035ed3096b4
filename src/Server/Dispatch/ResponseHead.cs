using Gateway.Admission.Stages;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Server.Dispatch;

/// <summary>The head of a response. A fault with a retry hint has the AdditionalHeader <c>TypeId (4) | 01 | Length 31 |
/// Count 1 | Key (ns 2, String) | Value (Variant Int64)</c>, an AdditionalParametersType. Source: Part 4 §7.33, §7.1.
/// </summary>
internal static class ResponseHead
{
    private const byte ByteStringBody = 1;
    private const int RetryParameterBytes = 31;

    /// <param name="writer">At the start of the message.</param>
    /// <param name="now">On the wall clock.</param>
    /// <param name="handle">The RequestHandle.</param>
    /// <param name="result">Bad.</param>
    /// <param name="retryAfterMs">0: no retry hint.</param>
    public static void WriteFault(
        ref UaBinaryWriter writer, DateTime now, uint handle, StatusCode result, int retryAfterMs)
    {
        if (retryAfterMs <= 0)
        {
            ResponseHeaderBinary.Write(ref writer, ServiceFault.BinaryEncodingId, now, handle, result);
            return;
        }

        ResponseHeaderBinary.WriteStart(ref writer, ServiceFault.BinaryEncodingId, now, handle, result);
        writer.WriteTypeId(AdditionalParametersType.BinaryEncodingId);
        writer.WriteByte(ByteStringBody);
        writer.WriteInt32(RetryParameterBytes);
        writer.WriteInt32(1);
        writer.WriteQualifiedName(new QualifiedName(Decision.HintName));
        writer.WriteVariant(new Variant((long)retryAfterMs));
    }
}
