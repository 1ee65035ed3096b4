using System.Buffers;
using System.Buffers.Text;
using System.Security.Cryptography;

namespace Gateway.Host.Auditing;

/// <summary>
/// The form of an audit line and its place in the chain:
/// <code>{"n":7,…,"prev":"hash of line 6","hash":"hash of this line up to here"}</code>
/// A hash is SHA-256 over the line's bytes before <c>,"hash"</c>, in lower-case hexadecimal. Line 1 has zeros for the
/// hash before it. A line that is changed does not fit its own hash, one that is missing or added not the next line's.
/// </summary>
internal static class AuditChain
{
    public const int HashBytes = 32;

    /// <summary>Of a line without its content.</summary>
    public const int OverheadBytes = 200;

    /// <summary>No line is longer.</summary>
    public const int MaxLineBytes = 64 * 1024;

    private const int HexLength = 2 * HashBytes;

    private static readonly int TailLength = ",\"prev\":\"\",\"hash\":\"\"}".Length + 2 * HexLength;

    /// <summary>Writes the line of a content, with a line feed.</summary>
    /// <param name="content">A JSON object of at least one member.</param>
    /// <param name="number">Of the line.</param>
    /// <param name="hash">Of the line before; gets that of this one.</param>
    /// <param name="output">Where it goes.</param>
    public static void Seal(ReadOnlySpan<byte> content, long number, Span<byte> hash, ArrayBufferWriter<byte> output)
    {
        var start = output.WrittenCount;
        output.Write("{\"n\":"u8);
        Utf8Formatter.TryFormat(number, output.GetSpan(20), out var digits);
        output.Advance(digits);
        output.Write(","u8);
        output.Write(content[1..^1]);
        output.Write(",\"prev\":\""u8);
        WriteHex(hash, output);
        output.Write("\""u8);
        SHA256.HashData(output.WrittenSpan[start..], hash);
        output.Write(",\"hash\":\""u8);
        WriteHex(hash, output);
        output.Write("\"}\n"u8);
    }

    /// <summary>False: no line of the chain.</summary>
    /// <param name="line">Without its line feed.</param>
    /// <param name="read">Its place in the chain, as it says.</param>
    public static bool TryRead(ReadOnlySpan<byte> line, out AuditLink read)
    {
        read = default;
        if (!line.StartsWith("{\"n\":"u8) || line.Length < TailLength + 8 || !line.EndsWith("\"}"u8))
            return false;
        if (!Utf8Parser.TryParse(line[5..], out long number, out var digits) || line[5 + digits] != (byte)',')
            return false;
        var tail = line[^TailLength..];
        var hash = tail.Slice(TailLength - 2 - HexLength, HexLength);
        if (!tail.StartsWith(",\"prev\":\""u8) || !tail[(9 + HexLength)..].StartsWith("\",\"hash\":\""u8))
            return false;
        var previous = new byte[HashBytes];
        var own = new byte[HashBytes];
        if (!TryReadHex(tail.Slice(9, HexLength), previous) || !TryReadHex(hash, own))
            return false;
        var sealedLength = line.Length - ",\"hash\":\"\"}".Length - HexLength;
        // Its own hash is no part of what is sealed: the other case of a letter is a change, too.
        var isIntact = SHA256.HashData(line[..sealedLength]).AsSpan().SequenceEqual(own) &&
            !hash.ContainsAnyInRange((byte)'A', (byte)'F');
        read = new AuditLink(number, previous, own, isIntact);
        return true;
    }

    /// <summary>0: the beginning of no line.</summary>
    public static long NumberOf(ReadOnlySpan<byte> line) =>
        line.StartsWith("{\"n\":"u8) && Utf8Parser.TryParse(line[5..], out long number, out _) ? number : 0;

    private static void WriteHex(ReadOnlySpan<byte> bytes, ArrayBufferWriter<byte> output)
    {
        Convert.TryToHexStringLower(bytes, output.GetSpan(HexLength), out var written);
        output.Advance(written);
    }

    private static bool TryReadHex(ReadOnlySpan<byte> hex, Span<byte> bytes) =>
        Convert.FromHexString(hex, bytes, out _, out var written) == OperationStatus.Done && written == bytes.Length;
}
