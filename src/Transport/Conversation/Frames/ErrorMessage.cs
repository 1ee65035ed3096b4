using System.Text;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;

namespace Gateway.Transport.Conversation;

/// <summary>ERR, and the body of an abort chunk: Error (UInt32), Reason (String, at most 4096 bytes, shown to people,
/// never with internals). Source: Part 6 §7.1.2.5.</summary>
internal readonly record struct ErrorMessage(StatusCode Error, string? Reason)
{
    private const int MaxReasonBytes = 4096;

    public static ErrorMessage Read(ref UaBinaryReader reader)
    {
        var error = reader.ReadStatusCode();
        var reason = reader.ReadStringBytes();
        return new ErrorMessage(error, Encoding.UTF8.GetString(reason[..Math.Min(reason.Length, MaxReasonBytes)]));
    }

    public void Write(ref UaBinaryWriter writer)
    {
        writer.WriteStatusCode(Error);
        writer.WriteString(Reason is { Length: > MaxReasonBytes / 3 } ? Reason[..(MaxReasonBytes / 3)] : Reason);
    }

    /// <summary>The whole ERR, in the buffer.</summary>
    public ReadOnlySpan<byte> Frame(PooledBuffer buffer)
    {
        var writer = FrameWriter.Begin(buffer);
        Write(ref writer);
        return FrameWriter.End(ref writer, buffer, MessageKind.Error);
    }
}
