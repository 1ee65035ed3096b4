using System.Buffers.Binary;
using System.Buffers.Text;
using Gateway.Admission.Stages;

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

    private const int ReasonAt = 16;

    private static ReadOnlySpan<byte> Hint => "RetryAfterMs="u8;

    private static ReadOnlySpan<byte> Unhinted => "Refused"u8;

    /// <returns>Its length.</returns>
    public static int Write(Span<byte> target, in Decision decision)
    {
        "ERRF"u8.CopyTo(target);
        int length;
        if (decision.RetryAfterMs == 0)
        {
            Unhinted.CopyTo(target[ReasonAt..]);
            length = Unhinted.Length;
        }
        else
        {
            Hint.CopyTo(target[ReasonAt..]);
            Utf8Formatter.TryFormat(decision.RetryAfterMs, target[(ReasonAt + Hint.Length)..], out var digits);
            length = Hint.Length + digits;
        }

        BinaryPrimitives.WriteInt32LittleEndian(target[4..], ReasonAt + length);
        BinaryPrimitives.WriteUInt32LittleEndian(target[8..], decision.Status.Code);
        BinaryPrimitives.WriteInt32LittleEndian(target[12..], length);
        return ReasonAt + length;
    }
}
