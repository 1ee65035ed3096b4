using System.Text.Json;

namespace Gateway.PubSub.Json;

/// <summary>A value's place in the text of a message. The default: there is none.</summary>
/// <param name="Start">Its first byte.</param>
/// <param name="Length">In bytes.</param>
/// <param name="Token">Its first token.</param>
internal readonly record struct JsonSlice(int Start, int Length, JsonTokenType Token)
{
    public bool IsThere => Length > 0;

    public bool IsNull => Token is JsonTokenType.None or JsonTokenType.Null;

    public ReadOnlySpan<byte> Of(ReadOnlySpan<byte> text) => text.Slice(Start, Length);

    /// <summary>The value that the reader stands on, which it steps over.</summary>
    /// <param name="json">Of the text of the outer slice.</param>
    /// <param name="outer">The text that the reader reads.</param>
    public static JsonSlice Take(ref Utf8JsonReader json, JsonSlice outer)
    {
        var (start, token) = ((int)json.TokenStartIndex, json.TokenType);
        json.Skip();
        return new JsonSlice(outer.Start + start, (int)json.BytesConsumed - start, token);
    }
}
