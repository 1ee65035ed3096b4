using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Import;

/// <summary>
/// Loads NodeSet2 XML files: models in the order in which they need each other, namespaces by URI, each file whole or
/// not at all. Errors: <see cref="NodeSetException"/> with file, line and node. Source: Part 6 Annex F.
/// </summary>
public sealed class NodeSetImporter(
    NodeTable nodes, ValueStore values, INodeSource source, NodeSetLimits limits)
{
    /// <summary>Every <c>*.xml</c> in the folder. A model that exists already is an error, as is one that a file needs
    /// and no file brings.</summary>
    public IReadOnlyList<NodeSetResult> LoadFolder(string path) =>
        LoadFiles([.. Directory.EnumerateFiles(path, "*.xml").Order(StringComparer.Ordinal)]);

    public IReadOnlyList<NodeSetResult> LoadFiles(IReadOnlyList<string> paths)
    {
        var results = new List<NodeSetResult>();
        foreach (var path in NodeSetOrder.Sort(paths, nodes.Namespaces, limits))
            results.Add(LoadFile(path));
        return results;
    }

    public NodeSetResult LoadFile(string path)
    {
        var file = NodeSetReader.Read(path, nodes.Namespaces, limits);
        var types = new TypeResolver(nodes, file);
        var batch = new NodeBatch();
        var found = new List<(NodeId Node, Variant Value)>();
        var own = new HashSet<NodeId>(file.Nodes.Count);
        foreach (var node in file.Nodes)
        {
            var id = node.Definition.NodeId;
            if (!own.Add(id) || !nodes.Find(id).IsNone)
                throw Error(file, node.Line, id, "is there already");
            var isType = node.Definition.NodeClass == NodeClass.DataType;
            var definition = isType ? types.DefinitionOf(id) : null;
            var guarded = NamespaceRules.Guard(
                node.Definition with { DataTypeDefinition = definition, Source = source });
            batch.AddNode(guarded);
            nodes.NoteRule(guarded);
            if (node.Value is not null)
                found.Add((id, ReadValue(file, types, node)));
        }

        var warnings = AddReferences(file, own, batch);
        nodes.Apply(batch);
        new NamespaceRules(nodes, file).Apply(found);
        foreach (var (node, value) in found)
            values.Set(nodes.Find(node), new DataValue(value));
        return new NodeSetResult(path, file.Models, file.Nodes.Count, warnings);
    }

    private static Variant ReadValue(NodeSetFile file, TypeResolver types, NodeSetNode node)
    {
        var context = new ValueContext(file, types, NodeIdText.Format(node.Definition.NodeId));
        return new XmlValueReader(context).Read(node.Value!);
    }

    /// <summary>Each reference that a node requires must have its target; other references without a target are left
    /// out and reported.
    /// </summary>
    private List<string> AddReferences(NodeSetFile file, HashSet<NodeId> own, NodeBatch batch)
    {
        var warnings = new List<string>();
        foreach (var reference in file.References)
        {
            if (!IsThere(reference.ReferenceType))
                throw Error(file, reference.Line, reference.Source,
                    $"the ReferenceType {NodeIdText.Format(reference.ReferenceType)} is unknown");
            if (IsThere(reference.Target) && IsThere(reference.Source))
            {
                batch.AddReference(
                    reference.Source, reference.ReferenceType, reference.Target, reference.IsForward);
                continue;
            }

            if (reference.ReferenceType.NamespaceIndex == 0 && reference.ReferenceType.Numeric is
                StandardIds.ReferenceTypes.HasTypeDefinition or StandardIds.ReferenceTypes.HasSubtype)
                throw Error(file, reference.Line, reference.Source,
                    $"the type {NodeIdText.Format(reference.Target)} is unknown");
            warnings.Add(Error(file, reference.Line, reference.Source,
                $"the target {NodeIdText.Format(reference.Target)} is unknown, reference left out").Message);
        }

        return warnings;

        bool IsThere(NodeId node) => own.Contains(node) || !nodes.Find(node).IsNone;
    }

    private static NodeSetException Error(NodeSetFile file, int line, NodeId node, string problem) =>
        new(file.Path, line, NodeIdText.Format(node), problem);
}
