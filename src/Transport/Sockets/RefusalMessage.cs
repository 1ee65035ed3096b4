using System.Buffers.Binary;
using System.Buffers.Text;
using System.Text;
using Gateway.Admission.Stages;
using Gateway.Transport.Conversation;

namespace Gateway.Transport.Sockets;

/// <summary>
/// The ERR of a refusal at the door, without a writer or a string. Source: Part 6 §7.1.2.5.
/// <code>
///  0  "ERRF"   4  size (4)   8  StatusCode (4)   12  length of the reason (4)   16  "RetryAfterMs=" and digits
/// </code>
/// </summary>
internal static class RefusalMessage
{
    public const int MaxBytes = 48;

    private const int LengthAt = 12;
    private const int ReasonAt = 16;

    /// <returns>Its length.</returns>
    public static int Write(Span<byte> target, in Decision decision)
    {
        var reason = target[ReasonAt..];
        int length;
        if (decision.RetryAfterMs == 0)
        {
            length = Encoding.UTF8.GetBytes(RefusalText.Unhinted, reason);
        }
        else
        {
            length = Encoding.UTF8.GetBytes(RefusalText.Hint, reason);
            Utf8Formatter.TryFormat(decision.RetryAfterMs, reason[length..], out var digits);
            length += digits;
        }

        FrameWriter.WriteHeader(target, MessageKind.Error, ChunkType.Final, ReasonAt + length);
        BinaryPrimitives.WriteUInt32LittleEndian(target[MessageLayout.MessageHeaderSize..], decision.Status.Code);
        BinaryPrimitives.WriteInt32LittleEndian(target[LengthAt..], length);
        return ReasonAt + length;
    }
}
