using System.Globalization;
using System.Text;
using System.Text.Json;
using Gateway.Codec.Text;

namespace Gateway.Codec.Json;

/// <summary>Finds the place of an offset in a JSON text: <c>$.Value[2].Status</c>. Walks the text again, so it is only
/// used for an error. Names of the peer are escaped and cut (R24).</summary>
internal static class JsonPlace
{
    private const int MaxNameLength = 40;

    /// <summary>Enough for one character more than is shown.</summary>
    private const int MaxNameBytes = 4 * (MaxNameLength + 1);
    private const int MostLevels = 16;

    /// <summary>Level of an object, between two members.</summary>
    private const long NoMember = long.MaxValue;

    /// <param name="text">The whole text.</param>
    /// <param name="offset">Where a token starts.</param>
    public static string Of(ReadOnlySpan<byte> text, long offset)
    {
        var levels = new List<long>();
        var reader = new Utf8JsonReader(text, isFinalBlock: false, new JsonReaderState(
            new JsonReaderOptions { MaxDepth = int.MaxValue }));
        try
        {
            while (reader.BytesConsumed < offset && reader.Read() && reader.TokenStartIndex < offset)
                Walk(levels, reader);
        }
        catch (JsonException)
        {
            // This is the place.
        }

        return Format(text, levels);
    }

    /// <summary>The name at an offset, in quotation marks.</summary>
    public static string NameAt(ReadOnlySpan<byte> text, long offset)
    {
        var name = text[((int)offset + 1)..];
        name = name[..Math.Min(name.Length, MaxNameBytes)];
        var length = name.IndexOf((byte)'"');
        // An escaped name may be cut here: it is only shown.
        return $"\"{PeerText.Escape(Encoding.UTF8.GetString(length < 0 ? name : name[..length]), MaxNameLength)}\"";
    }

    /// <summary>A level of an array is the complement of the index, that of an object the position of the member's
    /// name.</summary>
    private static void Walk(List<long> levels, in Utf8JsonReader reader)
    {
        switch (reader.TokenType)
        {
            case JsonTokenType.PropertyName:
                levels[^1] = reader.TokenStartIndex;
                break;
            case JsonTokenType.StartObject:
                levels.Add(NoMember);
                break;
            case JsonTokenType.StartArray:
                levels.Add(~0L);
                break;
            case JsonTokenType.EndObject or JsonTokenType.EndArray:
                levels.RemoveAt(levels.Count - 1);
                PassValue(levels);
                break;
            default:
                PassValue(levels);
                break;
        }
    }

    private static void PassValue(List<long> levels)
    {
        if (levels.Count > 0)
            levels[^1] = levels[^1] < 0 ? levels[^1] - 1 : NoMember;
    }

    private static string Format(ReadOnlySpan<byte> text, List<long> levels)
    {
        var place = new StringBuilder("$");
        if (levels.Count > MostLevels)
            place.Append('…');
        for (var i = Math.Max(0, levels.Count - MostLevels); i < levels.Count; i++)
        {
            if (levels[i] < 0)
                place.Append(CultureInfo.InvariantCulture, $"[{~levels[i]}]");
            else if (levels[i] != NoMember)
                place.Append('.').Append(NameAt(text, levels[i]).Trim('"'));
        }

        return place.ToString();
    }
}
