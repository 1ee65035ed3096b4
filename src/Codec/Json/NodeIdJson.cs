using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>
/// NodeId and ExpandedNodeId. Shape: a string <c>[svu=uri;|svr=n;][nsu=uri;|ns=n;](i|s|g|b)=id</c>, with an index only
/// if the tables have no URI; deprecated: an object <c>IdType, Id, Namespace, ServerUri</c>. The reader distinguishes
/// the two by the JSON type. Errors: Bad_DecodingError for a text that is no id. Source: Part 6 §5.1.12, §5.4.2.10,
/// §5.4.2.11, §H.2, §H.3.
/// </summary>
internal static class NodeIdJson
{
    private const int UsualLength = 256;

    private static readonly byte[][] Members =
        ["IdType"u8.ToArray(), "Id"u8.ToArray(), "Namespace"u8.ToArray(), "ServerUri"u8.ToArray()];

    public static void Write(UaJsonWriter writer, scoped in JsonNodeId id)
    {
        if (id.IsNull)
        {
            writer.WriteNull();
            return;
        }

        if (writer.Format.IsDeprecated)
            WriteObject(writer, id);
        else
            WriteString(writer, id);
    }

    public static NodeId Read(ref UaJsonReader reader)
    {
        if (reader.IsNull)
            return default;
        if (reader.IsStartObject)
            return ReadObject(ref reader, isExpanded: false).NodeId;
        if (!reader.TryReadText("a NodeId", out var text))
            return default;
        if (!NodeIdText.TryParse(text, out ExpandedNodeId parsed) || parsed.ServerIndex != 0)
        {
            reader.Expected("a NodeId");
            return default;
        }

        if (parsed.NamespaceUri is not { } uri)
            return parsed.NodeId;
        // If the table lacks the URI, the standard keeps the whole text as the identifier.
        return reader.Uris.TryFindNamespace(uri, out var index)
            ? parsed.NodeId.WithNamespace(index)
            : new NodeId(text, 0);
    }

    public static ExpandedNodeId ReadExpanded(ref UaJsonReader reader)
    {
        if (reader.IsNull)
            return default;
        if (reader.IsStartObject)
            return ReadObject(ref reader, isExpanded: true);
        if (!reader.TryReadText("an ExpandedNodeId", out var text))
            return default;
        var rest = text.AsSpan();
        var server = 0u;
        if (TryTakeServerUri(ref rest, out var serverUri) && !reader.Uris.TryFindServer(serverUri, out server))
            return new NodeId(text, 0);
        if (!NodeIdText.TryParse(rest, out ExpandedNodeId parsed) || (serverUri.Length > 0 && parsed.ServerIndex != 0))
        {
            reader.Expected("an ExpandedNodeId");
            return default;
        }

        if (serverUri.Length == 0)
            server = parsed.ServerIndex;
        return server == 0 && parsed.NamespaceUri is { } uri && reader.Uris.TryFindNamespace(uri, out var index)
            ? parsed.NodeId.WithNamespace(index)
            : new ExpandedNodeId(parsed.NodeId, parsed.NamespaceUri, server);
    }

    private static void WriteString(UaJsonWriter writer, scoped in JsonNodeId id)
    {
        var uris = writer.Format.Uris;
        var text = new Utf8Builder(stackalloc byte[UsualLength]);
        if (id.ServerIndex != 0)
            AppendPrefix(ref text, uris.ServerPrefix(id.ServerIndex), "svr="u8, id.ServerIndex);
        if (!id.NamespaceUri.IsNullOrEmpty)
        {
            text.Append("nsu="u8);
            text.AppendUri(id.NamespaceUri);
            text.Append(";"u8);
        }
        else if (id.NamespaceIndex != 0)
        {
            AppendPrefix(ref text, uris.NamespacePrefix(id.NamespaceIndex), "ns="u8, id.NamespaceIndex);
        }

        AppendIdentifier(ref text, id);
        new JsonText(text.Written).WriteTo(writer);
        text.Dispose();
    }

    private static void AppendPrefix(
        ref Utf8Builder text, ReadOnlySpan<byte> prefix, ReadOnlySpan<byte> indexKey, uint index)
    {
        if (!prefix.IsEmpty)
        {
            text.Append(prefix);
            return;
        }

        text.Append(indexKey);
        text.Append(index);
        text.Append(";"u8);
    }

    private static void AppendIdentifier(ref Utf8Builder text, scoped in JsonNodeId id)
    {
        switch (id.IdType)
        {
            case IdType.Numeric:
                text.Append("i="u8);
                text.Append(id.Numeric);
                break;
            case IdType.String:
                text.Append("s="u8);
                text.Append(id.Text);
                break;
            case IdType.Guid:
                text.Append("g="u8);
                text.Append(id.Guid);
                break;
            default:
                text.Append("b="u8);
                text.AppendBase64(id.Opaque);
                break;
        }
    }

    private static void WriteObject(UaJsonWriter writer, scoped in JsonNodeId id)
    {
        var json = writer.Json;
        writer.StartObject();
        if (id.IdType != IdType.Numeric)
            json.WriteNumber(JsonNames.IdType, (int)id.IdType);
        json.WritePropertyName(JsonNames.Id);
        switch (id.IdType)
        {
            case IdType.Numeric:
                json.WriteNumberValue(id.Numeric);
                break;
            case IdType.String:
                id.Text.WriteTo(writer);
                break;
            case IdType.Guid:
                json.WriteStringValue(id.Guid);
                break;
            default:
                writer.WriteByteString(id.Opaque);
                break;
        }

        WriteNamespace(writer, id);
        if (id.ServerIndex != 0)
        {
            json.WritePropertyName(JsonNames.ServerUri);
            WriteIndex(writer, writer.Format.Uris.Server(id.ServerIndex), id.ServerIndex);
        }

        writer.EndObject();
    }

    private static void WriteNamespace(UaJsonWriter writer, scoped in JsonNodeId id)
    {
        if (!id.NamespaceUri.IsNullOrEmpty)
        {
            writer.Json.WritePropertyName(JsonNames.Namespace);
            id.NamespaceUri.WriteTo(writer);
        }
        else if (id.NamespaceIndex != 0)
        {
            writer.Json.WritePropertyName(JsonNames.Namespace);
            // An ExpandedNodeId of the server's own namespace keeps its index (Part 6 §H.3).
            var uri = id is { IsExpanded: true, NamespaceIndex: 1 }
                ? default
                : writer.Format.Uris.Namespace(id.NamespaceIndex);
            WriteIndex(writer, uri, id.NamespaceIndex);
        }
    }

    /// <summary>NonReversible writes the URI if there is one.</summary>
    private static void WriteIndex(UaJsonWriter writer, ReadOnlySpan<byte> uri, uint index)
    {
        if (writer.Format.Encoding == JsonEncoding.NonReversible && !uri.IsEmpty)
            new JsonText(uri).WriteTo(writer);
        else
            writer.Json.WriteNumberValue(index);
    }

    private static ExpandedNodeId ReadObject(ref UaJsonReader reader, bool isExpanded)
    {
        IdType type = default;
        uint numeric = 0, server = 0;
        ushort index = 0;
        string? text = null, uri = null;
        var seen = 0UL;
        while (reader.NextMember(Members, ref seen, out var member))
        {
            switch (member)
            {
                case 0:
                    type = (IdType)reader.ReadInteger(0, (int)IdType.Opaque, "an IdType");
                    break;
                case 1 when reader.IsNumber:
                    numeric = reader.ReadUInt32();
                    break;
                case 1:
                    text = reader.ReadString();
                    break;
                case 2 when reader.IsNumber:
                    index = reader.ReadUInt16();
                    break;
                case 2:
                    uri = reader.ReadString();
                    break;
                default:
                    server = ReadServer(ref reader, isExpanded);
                    break;
            }
        }

        if (reader.Failed || !TryMakeId(ref reader, type, numeric, text, out var id))
            return default;
        if (uri is null)
            return new ExpandedNodeId(id.WithNamespace(index), null, server);
        if (server == 0 && reader.Uris.TryFindNamespace(uri, out index))
            return id.WithNamespace(index);
        if (!isExpanded)
            reader.Expected("a Namespace that this server has");
        return new ExpandedNodeId(id, uri, server);
    }

    private static uint ReadServer(ref UaJsonReader reader, bool isExpanded)
    {
        if (isExpanded && reader.IsNumber)
            return reader.ReadUInt32();
        if (isExpanded && reader.ReadString() is { } uri && reader.Uris.TryFindServer(uri, out var server))
            return server;
        reader.Expected(isExpanded ? "a ServerUri that this server has" : "no ServerUri");
        return 0;
    }

    private static bool TryMakeId(ref UaJsonReader reader, IdType type, uint numeric, string? text, out NodeId id)
    {
        id = default;
        switch (type)
        {
            case IdType.Numeric when text is null:
                id = new NodeId(numeric);
                return true;
            case IdType.String when text is not null:
                id = new NodeId(text, 0);
                return true;
            case IdType.Guid when Guid.TryParseExact(text, "D", out var guid):
                id = new NodeId(guid, 0);
                return true;
            case IdType.Opaque when text is not null:
                var bytes = new byte[text.Length];
                if (!Convert.TryFromBase64String(text, bytes, out var length))
                    break;
                id = new NodeId(bytes[..length], 0);
                return true;
        }

        reader.Expected("an Id of the kind that IdType says");
        return false;
    }

    private static bool TryTakeServerUri(ref ReadOnlySpan<char> text, out string uri)
    {
        uri = "";
        if (!text.StartsWith("svu=", StringComparison.Ordinal))
            return false;
        ReadOnlySpan<char> asNamespace = string.Concat("nsu", text["svu".Length..]);
        if (!NamespaceUriText.TryTakePrefix(ref asNamespace, out var taken))
            return false;
        uri = taken!;
        text = asNamespace;
        return true;
    }
}
