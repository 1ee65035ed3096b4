using System.Xml;
using System.Xml.Linq;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Import;

/// <summary>Reads one NodeSet2 file in one pass. Errors: <see cref="NodeSetException"/>. Source: Part 6 Annex F.
/// </summary>
internal sealed class NodeSetReader
{
    /// <summary>An entry that grants nothing: an empty list would mean the namespace's defaults.</summary>
    private static readonly RolePermissionType[] Nobody =
        [new() { RoleId = new NodeId(StandardIds.Objects.WellKnownRole_Anonymous) }];

    private readonly XmlReader _xml;
    private readonly string _path;
    private readonly NamespaceTable _namespaces;
    private readonly NodeSetLimits _limits;
    private readonly NodeSetFile _file;
    private readonly NodeSetNames _names = new();
    private readonly HashSet<NodeId> _designOnly = [];
    private readonly List<XElement> _models = [];
    private string? _node;

    private NodeSetReader(XmlReader xml, string path, NamespaceTable namespaces, NodeSetLimits limits)
    {
        _xml = xml;
        _path = path;
        _namespaces = namespaces;
        _limits = limits;
        _file = new NodeSetFile(path, _names);
    }

    public static NodeSetFile Read(string path, NamespaceTable namespaces, NodeSetLimits limits)
    {
        using var stream = File.OpenRead(path);
        using var xml = NodeSetXml.Open(stream, limits);
        var reader = new NodeSetReader(xml, path, namespaces, limits);
        try
        {
            return reader.Read();
        }
        catch (XmlException e)
        {
            throw new NodeSetException(path, e.LineNumber, reader._node, e.Message, e);
        }
    }

    private NodeSetFile Read()
    {
        _xml.MoveToContent();
        _xml.ReadStartElement("UANodeSet", NodeSetXml.NodeSetNamespace);
        while (_xml.MoveToContent() == XmlNodeType.Element)
        {
            switch (_xml.LocalName)
            {
                case "NamespaceUris":
                    ReadChildren(ReadNamespace);
                    break;
                case "Models":
                    ReadChildren(() => _models.Add(ReadElement()));
                    break;
                case "Aliases":
                    ReadChildren(ReadAlias);
                    break;
                case "UAObject" or "UAVariable" or "UAMethod" or "UAView" or "UAObjectType" or "UAVariableType" or
                    "UADataType" or "UAReferenceType":
                    ReadNode(Enum.Parse<NodeClass>(_xml.LocalName.AsSpan(2)));
                    break;
                default:
                    _xml.Skip();
                    break;
            }
        }

        foreach (var model in _models)
            ReadModel(model);
        // A node for design tools only is no node of a server, and nothing points to it.
        _file.References.RemoveAll(r => _designOnly.Contains(r.Source) || _designOnly.Contains(r.Target));
        return _file;
    }

    /// <summary>After the aliases, which its roles may be named by.</summary>
    private void ReadModel(XElement element)
    {
        using var xml = element.CreateReader();
        xml.MoveToContent();
        var model = NodeSetHeaderReader.ReadModel(xml);
        _file.Models.Add(model);
        if (_namespaces.TryGetIndex(model.Uri, out var index) && index != 0)
            _file.Rules[index] = NamespaceRules.Of(element, this);
    }

    private void ReadNamespace()
    {
        var line = NodeSetXml.Line(_xml);
        var uri = ReadText();
        if (uri.Length == 0)
            throw Error(line, "a namespace has no URI");
        _names.AddNamespace(_namespaces, uri);
    }

    private void ReadAlias()
    {
        var alias = _xml.GetAttribute("Alias") ?? string.Empty;
        var line = NodeSetXml.Line(_xml);
        var text = ReadText();
        if (!_names.TryParseNodeId(text, out var node))
            throw Error(line, $"the alias '{alias}' has no valid NodeId: '{text}'");
        _names.AddAlias(alias, node);
    }

    private void ReadNode(NodeClass nodeClass)
    {
        var line = NodeSetXml.Line(_xml);
        _node = _xml.GetAttribute("NodeId");
        if (!_names.TryParseNodeId(_node, out var id) || id.IsNull)
            throw Error(line, $"'{_node}' is no valid NodeId");
        if (!_names.TryParseQualifiedName(_xml.GetAttribute("BrowseName"), out var browseName))
            throw Error(line, $"'{_xml.GetAttribute("BrowseName")}' is no valid BrowseName");
        if (_file.Nodes.Count == _limits.MaxNodes)
            throw Error(line, $"more than {_limits.MaxNodes} nodes");

        var attributes = NodeSetAttributes.Read(_xml, this);
        var designOnly = _xml.GetAttribute("DesignToolOnly") == "true";
        var noPermissions = _xml.GetAttribute("HasNoPermissions") is "true" or "1";
        var parts = new NodeSetParts();
        ReadChildren(() => ReadPart(id, parts));
        if (designOnly)
        {
            _designOnly.Add(id);
            return;
        }

        var definition = attributes with
        {
            NodeId = id,
            NodeClass = nodeClass,
            BrowseName = browseName,
            DisplayName = parts.DisplayNames.FirstOrDefault(),
            Description = parts.Descriptions.FirstOrDefault(),
            InverseName = parts.InverseNames.FirstOrDefault(),
            Texts = parts.Texts,
            RolePermissions = parts.RolePermissions?.ToArray() ?? (noPermissions ? Nobody : null),
        };
        _file.Nodes.Add(new NodeSetNode(definition, line) { Fields = parts.Fields, Value = parts.Value });
        _node = null;
    }

    private void ReadPart(NodeId id, NodeSetParts parts)
    {
        switch (_xml.LocalName)
        {
            case "DisplayName":
                parts.DisplayNames.Add(ReadLocalizedText());
                break;
            case "Description":
                parts.Descriptions.Add(ReadLocalizedText());
                break;
            case "InverseName":
                parts.InverseNames.Add(ReadLocalizedText());
                break;
            case "References":
                ReadChildren(() => ReadReference(id));
                break;
            case "RolePermissions":
                parts.RolePermissions = [];
                ReadChildren(() => parts.RolePermissions.Add(ReadRolePermission()));
                break;
            case "Definition":
                parts.Fields = new DefinitionReader(this).Read(ReadElement());
                break;
            case "Value":
                parts.Value = ReadElement().Elements().FirstOrDefault();
                break;
            default:
                _xml.Skip();
                break;
        }
    }

    private void ReadReference(NodeId id)
    {
        var line = NodeSetXml.Line(_xml);
        var type = ParseNodeId(_xml.GetAttribute("ReferenceType"), line, "ReferenceType");
        var isForward = _xml.GetAttribute("IsForward") is not ("false" or "0");
        var target = ParseNodeId(ReadText(), line, "reference target");
        _file.References.Add(new NodeSetReference(id, type, isForward, target, line));
    }

    private RolePermissionType ReadRolePermission()
    {
        var line = NodeSetXml.Line(_xml);
        var permissions = ParseUInt32(_xml.GetAttribute("Permissions"), line, "Permissions", 0);
        var role = ParseNodeId(ReadText(), line, "role");
        return new RolePermissionType { RoleId = role, Permissions = (PermissionType)permissions };
    }

    internal NodeId ParseNodeId(string? text, int line, string what) =>
        _names.TryParseNodeId(text, out var node) ? node : throw Error(line, $"'{text}' is no valid {what}");

    internal uint ParseUInt32(string? text, int line, string what, uint absent)
    {
        if (string.IsNullOrWhiteSpace(text))
            return absent;
        return uint.TryParse(text.Trim(), System.Globalization.CultureInfo.InvariantCulture, out var number)
            ? number
            : throw Error(line, $"'{text}' is no valid {what}");
    }

    internal int ParseInt32(string? text, int line, string what, int absent)
    {
        if (string.IsNullOrWhiteSpace(text))
            return absent;
        return int.TryParse(text.Trim(), System.Globalization.CultureInfo.InvariantCulture, out var number)
            ? number
            : throw Error(line, $"'{text}' is no valid {what}");
    }

    /// <summary>Comma-separated lengths; null for none.</summary>
    internal uint[]? ParseDimensions(string? text, int line)
    {
        if (string.IsNullOrWhiteSpace(text))
            return null;
        var parts = text.Split(',');
        var dimensions = new uint[parts.Length];
        for (var i = 0; i < parts.Length; i++)
            dimensions[i] = ParseUInt32(parts[i], line, "ArrayDimensions", 0);
        return dimensions;
    }

    internal NodeSetException Error(int line, string problem) => new(_path, line, _node, problem);

    private LocalizedText ReadLocalizedText()
    {
        var locale = _xml.GetAttribute("Locale");
        return new LocalizedText(ReadText(), string.IsNullOrEmpty(locale) ? null : locale);
    }

    /// <summary>The element's text; steps behind it.</summary>
    private string ReadText() => _xml.ReadElementContentAsString();

    /// <summary>The element as a tree, its depth held to the limit; steps behind it.</summary>
    private XElement ReadElement()
    {
        XElement element;
        using (var inner = _xml.ReadSubtree())
            element = XElement.Load(inner, LoadOptions.SetLineInfo);
        _xml.Read();
        foreach (var descendant in element.Descendants())
        {
            if (!descendant.HasElements && DepthOf(descendant) > _limits.MaxDepth)
                throw Error(NodeSetXml.Line(descendant), $"nested more than {_limits.MaxDepth} levels deep");
        }

        return element;
    }

    private int DepthOf(XElement element)
    {
        var depth = 0;
        for (var parent = element.Parent; parent is not null && depth <= _limits.MaxDepth; parent = parent.Parent)
            depth++;
        return depth;
    }

    /// <summary>Calls <paramref name="readChild"/> at each child element; it must step behind it.</summary>
    private void ReadChildren(Action readChild)
    {
        if (_xml.IsEmptyElement)
        {
            _xml.Read();
            return;
        }

        _xml.ReadStartElement();
        while (_xml.MoveToContent() == XmlNodeType.Element)
            readChild();
        _xml.ReadEndElement();
    }
}
