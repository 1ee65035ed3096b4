using System.Xml;

namespace Gateway.AddressSpace.Import;

/// <summary>Reads a file's models up to its first node: what the order of loading needs.</summary>
internal static class NodeSetHeaderReader
{
    public static List<NodeSetModelInfo> Read(string path, NodeSetLimits limits)
    {
        try
        {
            if (new FileInfo(path).Length > limits.MaxFileSizeBytes)
                throw new NodeSetException(path, 0, null, $"larger than {limits.MaxFileSizeBytes} bytes");
            using var stream = File.OpenRead(path);
            using var reader = NodeSetXml.Open(stream, limits);
            if (reader.MoveToContent() != XmlNodeType.Element || reader.LocalName != "UANodeSet" ||
                reader.NamespaceURI != NodeSetXml.NodeSetNamespace)
                throw new NodeSetException(path, NodeSetXml.Line(reader), null, "is no UANodeSet");
            return ReadModels(reader);
        }
        catch (XmlException e)
        {
            throw new NodeSetException(path, e.LineNumber, null, e.Message, e);
        }
    }

    /// <summary>A file without Models gives its content by its NamespaceUris: the first is its own.</summary>
    private static List<NodeSetModelInfo> ReadModels(XmlReader reader)
    {
        var models = new List<NodeSetModelInfo>();
        var uris = new List<string>();
        reader.Read();
        while (!reader.EOF && !(reader.NodeType == XmlNodeType.Element && reader.LocalName.StartsWith("UA")))
        {
            if (reader is { NodeType: XmlNodeType.Element, LocalName: "Uri" })
            {
                uris.Add(reader.ReadElementContentAsString());
                continue;
            }

            if (reader is { NodeType: XmlNodeType.Element, LocalName: "Model" })
                models.Add(ReadModel(reader));
            reader.Read();
        }

        if (models.Count == 0 && uris.Count > 0)
            models.Add(new NodeSetModelInfo(uris[0], null, uris[1..]));
        return models;
    }

    public static NodeSetModelInfo ReadModel(XmlReader reader)
    {
        var uri = reader.GetAttribute("ModelUri") ?? string.Empty;
        var version = reader.GetAttribute("Version");
        var required = new List<string>();
        if (!reader.IsEmptyElement)
        {
            var depth = reader.Depth;
            while (reader.Read() && reader.Depth > depth)
            {
                if (reader is { NodeType: XmlNodeType.Element, LocalName: "RequiredModel" })
                    required.Add(reader.GetAttribute("ModelUri") ?? string.Empty);
            }
        }

        return new NodeSetModelInfo(uri, version, required);
    }
}
