using System.Text.Json;

namespace Gateway.PubSub.Json;

/// <summary>Finds the members of an object by their names, without reading their values. The text was checked before.
/// </summary>
internal static class JsonMembers
{
    /// <summary>Nothing in the text opens more levels than were checked.</summary>
    private static readonly JsonReaderOptions AnyDepth = new() { MaxDepth = 10_000 };

    public static Utf8JsonReader Reader(ReadOnlySpan<byte> text) => new(text, AnyDepth);

    /// <summary>False: a known member is there twice.</summary>
    /// <param name="text">The whole message.</param>
    /// <param name="item">An object.</param>
    /// <param name="names">The known members.</param>
    /// <param name="found">One for each name.</param>
    /// <param name="unknown">How many others there are.</param>
    public static bool TryFind(
        ReadOnlySpan<byte> text, JsonSlice item, ReadOnlySpan<byte[]> names, Span<JsonSlice> found, out int unknown)
    {
        found.Clear();
        unknown = 0;
        var json = Reader(item.Of(text));
        json.Read();
        while (json.Read() && json.TokenType == JsonTokenType.PropertyName)
        {
            var member = IndexOf(ref json, names);
            json.Read();
            var value = JsonSlice.Take(ref json, item);
            if (member < 0)
                unknown++;
            else if (found[member].IsThere)
                return false;
            else
                found[member] = value;
        }

        return true;
    }

    private static int IndexOf(ref Utf8JsonReader json, ReadOnlySpan<byte[]> names)
    {
        for (var i = 0; i < names.Length; i++)
        {
            if (json.ValueTextEquals(names[i]))
                return i;
        }

        return -1;
    }
}
