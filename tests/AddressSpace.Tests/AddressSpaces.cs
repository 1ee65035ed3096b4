using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Tests;

/// <summary>An address space of its own for a test, with what most tests ask of one.</summary>
internal sealed class AddressSpaces
{
    public NodeTable Nodes { get; } = new();

    public ValueStore Values { get; } = new(TimeProvider.System);

    public INodeSource Source => new StoreSource(Values, TimeProvider.System);

    public static AddressSpaces Standard()
    {
        var space = new AddressSpaces();
        StandardNodes.Load(space.Nodes, space.Values);
        return space;
    }

    public NodeHandle this[uint id] => Nodes.Find(new NodeId(id));

    public IEnumerable<NodeHandle> All()
    {
        for (var i = 1; i < Nodes.HandleEnd; i++)
        {
            if (Nodes.Exists(new NodeHandle(i)))
                yield return new NodeHandle(i);
        }
    }

    public List<Reference> References(NodeHandle node)
    {
        var list = new List<Reference>();
        foreach (var reference in Nodes.References(node))
            list.Add(reference);
        return list;
    }

    /// <summary>Every reference whose other end is not there or does not point back.</summary>
    public List<string> Inconsistencies()
    {
        var faults = new List<string>();
        var all = new HashSet<(int, int, bool, int)>();
        foreach (var node in All())
        {
            foreach (var reference in References(node))
                all.Add((node.Index, reference.ReferenceType.Index, reference.IsForward, reference.Target.Index));
        }

        foreach (var (node, type, isForward, target) in all)
        {
            if (!Nodes.Exists(new NodeHandle(target)) || !Nodes.Exists(new NodeHandle(type)))
                faults.Add($"{Nodes.GetNodeId(new NodeHandle(node))} points to nowhere");
            else if (!all.Contains((target, type, !isForward, node)))
                faults.Add($"{Nodes.GetNodeId(new NodeHandle(target))} does not point back");
        }

        return faults;
    }

    public NodeHandle Child(NodeHandle parent, string name) => References(parent)
        .Where(r => r.IsForward && Nodes.GetBrowseName(r.Target).Name == name)
        .Select(static r => r.Target)
        .FirstOrDefault();
}
