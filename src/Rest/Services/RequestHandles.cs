using Gateway.Codec.Json;

namespace Gateway.Rest.Services;

/// <summary>The RequestHandle of a request that is refused before it is decoded: many are under way on one WebSocket,
/// and the client finds its own by the handle. Source: Part 4 §7.32, Part 6 §G.3.</summary>
internal static class RequestHandles
{
    private static readonly byte[][] Body = ["Body"u8.ToArray()];
    private static readonly byte[][] Header = ["RequestHeader"u8.ToArray()];
    private static readonly byte[][] Handle = ["RequestHandle"u8.ToArray()];

    /// <summary>0: there is none.</summary>
    /// <param name="message">An envelope, or a message with its type.</param>
    public static uint Of(ReadOnlySpan<byte> message)
    {
        var body = Find(message, Body);
        var handle = Find(Find(body.IsEmpty ? message : body, Header), Handle);
        if (handle.IsEmpty)
            return 0;
        var reader = new UaJsonReader(handle);
        var value = reader.ReadUInt32();
        return reader.Failed ? 0 : value;
    }

    /// <summary>The value of the member; empty where there is none, or the text is no object.</summary>
    private static ReadOnlySpan<byte> Find(ReadOnlySpan<byte> text, byte[][] name)
    {
        if (text.IsEmpty || text[0] != (byte)'{')
            return default;
        var reader = new UaJsonReader(text);
        var (value, seen) = (default(System.Range), 0UL);
        reader.BeginObject();
        while (reader.NextMember(name, ref seen, out var member, takesUnknown: true))
        {
            var range = reader.Skip();
            if (member == 0)
                value = range;
        }

        return seen == 0 || reader.Failed ? default : text[value];
    }
}
