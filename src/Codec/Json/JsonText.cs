using System.Text;
using System.Text.Json;

namespace Gateway.Codec.Json;

/// <summary>A String for the writer, whether it is an object or still UTF-8 in a message. The default is null.
/// </summary>
internal readonly ref struct JsonText
{
    /// <summary>Longer ones are written in pieces: the writer needs six times a piece at a time.</summary>
    public const int PieceLength = 8 * 1024;

    /// <summary>Utf8JsonWriter escapes six times as many characters (128) and bytes (256) on its stack. Longer pieces
    /// go through arrays of the shared pool, which it does not clear.</summary>
    private const int SecretChars = 20;
    private const int SecretBytes = 40;

    private readonly ReadOnlySpan<char> _chars;
    private readonly ReadOnlySpan<byte> _utf8;
    private readonly bool _isPresent;

    public JsonText(string? text)
    {
        _chars = text;
        _isPresent = text is not null;
    }

    /// <param name="utf8">Valid; an empty text is not null.</param>
    public JsonText(ReadOnlySpan<byte> utf8)
    {
        _utf8 = utf8;
        _isPresent = true;
    }

    public bool IsNull => !_isPresent;

    public bool IsNullOrEmpty => _chars.IsEmpty && _utf8.IsEmpty;

    public int MaximumUtf8Bytes =>
        _chars.IsEmpty ? _utf8.Length : Encoding.UTF8.GetMaxByteCount(_chars.Length);

    public int CopyTo(Span<byte> target)
    {
        if (!_chars.IsEmpty)
            return Encoding.UTF8.GetBytes(_chars, target);
        _utf8.CopyTo(target);
        return _utf8.Length;
    }

    public override string ToString() => _chars.IsEmpty ? Encoding.UTF8.GetString(_utf8) : _chars.ToString();

    /// <summary>As a JSON string; not for null.</summary>
    public void WriteTo(UaJsonWriter writer)
    {
        var json = writer.Json;
        var mostChars = writer.IsSecret ? SecretChars : PieceLength;
        var mostBytes = writer.IsSecret ? SecretBytes : PieceLength;
        if (_chars.Length > mostChars)
            WritePieces(json, _chars, mostChars);
        else if (_utf8.Length > mostBytes)
            WritePieces(json, _utf8, mostBytes);
        else if (_chars.IsEmpty)
            json.WriteStringValue(_utf8);
        else
            json.WriteStringValue(_chars);
    }

    private static void WritePieces(Utf8JsonWriter json, ReadOnlySpan<char> text, int length)
    {
        for (; text.Length > length; text = text[length..])
            json.WriteStringValueSegment(text[..length], isFinalSegment: false);
        json.WriteStringValueSegment(text, isFinalSegment: true);
    }

    private static void WritePieces(Utf8JsonWriter json, ReadOnlySpan<byte> text, int length)
    {
        for (; text.Length > length; text = text[length..])
            json.WriteStringValueSegment(text[..length], isFinalSegment: false);
        json.WriteStringValueSegment(text, isFinalSegment: true);
    }
}
