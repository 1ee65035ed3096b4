using System.Globalization;
using Gateway.AddressSpace.Import;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.NodeSetCompiler;

/// <summary>
/// Makes the committed table of the standard's nodes: imports the standard's NodeSet2 file and writes the resulting
/// address space, without descriptions. The reader, Gateway.AddressSpace.Standard.FactsReader, describes the format.
/// </summary>
public sealed class StandardTable
{
    private readonly NodeTable _nodes = new(isModel: true);
    private readonly ValueStore _values = new(TimeProvider.System);
    private readonly TextWriter _output;

    private StandardTable(TextWriter output) => _output = output;

    public static void Write(string nodeSetPath, TextWriter output)
    {
        var table = new StandardTable(output);
        var importer = new NodeSetImporter(
            table._nodes, table._values, new StoreSource(table._values, TimeProvider.System), new NodeSetLimits());
        var result = importer.LoadFile(nodeSetPath);
        if (result.Warnings.Count > 0)
            throw new InvalidOperationException(string.Join('\n', result.Warnings));
        table.WriteAll(result);
    }

    private void WriteAll(NodeSetResult result)
    {
        var model = result.Models[0];
        _output.WriteLine($"# The standard's nodes, {model.Uri} {model.Version}: {result.Nodes} nodes.");
        _output.WriteLine("# Made by tools/NodeSetCompiler; not to be edited.");
        var sorted = new SortedDictionary<uint, NodeHandle>();
        for (var i = 1; i < _nodes.HandleEnd; i++)
        {
            var handle = new NodeHandle(i);
            sorted.Add(_nodes.GetNodeId(handle).Numeric, handle);
        }

        foreach (var (id, node) in sorted)
        {
            string[] columns =
            [
                id.ToString(CultureInfo.InvariantCulture),
                ClassOf(_nodes.GetNodeClass(node)),
                _nodes.GetBrowseName(node).Name!,
                string.Join(' ', Facts(node)),
                References(node),
                TableText.Definition(Attribute(node, AttributeId.DataTypeDefinition)),
                TableText.Value(ValueOf(node)),
            ];
            _output.WriteLine(string.Join('\t', columns).TrimEnd('\t'));
        }
    }

    private static string ClassOf(NodeClass nodeClass) => nodeClass switch
    {
        NodeClass.Object => "O",
        NodeClass.Variable => "V",
        NodeClass.Method => "M",
        NodeClass.ObjectType => "T",
        NodeClass.VariableType => "A",
        NodeClass.ReferenceType => "R",
        NodeClass.DataType => "D",
        _ => "W",
    };

    private Variant Attribute(NodeHandle node, AttributeId attribute)
    {
        _nodes.ReadAttribute(node, attribute, out var value);
        return value;
    }

    /// <summary>The two deprecated type dictionaries (half a megabyte) are left out: DataTypeDefinition says the same.
    /// </summary>
    private Variant ValueOf(NodeHandle node)
    {
        var value = _values.Read(node);
        return value.Status.IsBad || value.Value.Type == BuiltInType.ByteString ? default : value.Value;
    }

    private IEnumerable<string> Facts(NodeHandle node)
    {
        if (Attribute(node, AttributeId.IsAbstract).AsBoolean())
            yield return "a";
        if (Attribute(node, AttributeId.Symmetric).AsBoolean())
            yield return "y";
        if (_nodes.GetNodeClass(node) == NodeClass.Method && !Attribute(node, AttributeId.Executable).AsBoolean())
            yield return "x";
        if (Attribute(node, AttributeId.EventNotifier).AsInt64() is not 0 and var notifier)
            yield return $"e{notifier}";
        if (Attribute(node, AttributeId.AccessRestrictions) is { IsNull: false } restrictions)
            yield return $"c{restrictions.AsInt64()}";
        if (_nodes.GetRolePermissions(node) is { } permissions)
            yield return "p" + string.Join(',', permissions.Select(
                static p => $"{TableText.Id(p.RoleId)}:{(uint)p.Permissions}"));
        if (_nodes.GetDisplayName(node) is { Text: var text } && text != _nodes.GetBrowseName(node).Name)
            yield return "n" + TableText.Quote(text);
        if (Attribute(node, AttributeId.InverseName) is { IsNull: false } inverse)
            yield return "i" + TableText.Quote(inverse.AsLocalizedText().Text);
        foreach (var fact in VariableFacts(_nodes.GetVariableFacts(node)))
            yield return fact;
    }

    private static IEnumerable<string> VariableFacts(VariableFacts facts)
    {
        if (facts.DataType.IsNull)
            yield break;
        if (facts.DataType.Numeric != StandardIds.DataTypes.BaseDataType)
            yield return $"t{TableText.Id(facts.DataType)}";
        if (facts.ValueRank != -1)
            yield return $"k{facts.ValueRank}";
        if (facts.ArrayDimensions is { Length: > 0 } dimensions)
            yield return $"d{string.Join(',', dimensions)}";
        if (facts.AccessLevel != AccessLevelExType.CurrentRead)
            yield return $"l{(uint)facts.AccessLevel}";
        if (facts.MinimumSamplingInterval != 0)
            yield return string.Create(CultureInfo.InvariantCulture, $"m{facts.MinimumSamplingInterval}");
    }

    private string References(NodeHandle node)
    {
        var parts = new List<string>();
        var last = default(NodeHandle);
        foreach (var reference in _nodes.References(node))
        {
            if (!reference.IsForward)
                continue;
            var type = TableText.Id(_nodes.GetNodeId(reference.ReferenceType));
            var target = TableText.Id(_nodes.GetNodeId(reference.Target));
            parts.Add(reference.ReferenceType == last ? target : $"{type}>{target}");
            last = reference.ReferenceType;
        }

        return string.Join(' ', parts);
    }
}
