using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Operations.Browsing;

/// <summary>The targets of one node's references by BrowseName, in the order of the references; and those on other
/// servers, whose names are not known here.</summary>
internal sealed class NameIndex
{
    private const int None = -1;

    private readonly Dictionary<QualifiedName, (int First, int Last)> _names = [];
    private readonly List<(NodeHandle Node, int Next)> _targets = [];

    /// <summary>All references are in it.</summary>
    public bool IsComplete { get; set; }

    public List<ExpandedNodeId> External { get; } = [];

    public void Add(QualifiedName name, NodeHandle target)
    {
        var place = _targets.Count;
        _targets.Add((target, None));
        if (!_names.TryGetValue(name, out var chain))
        {
            _names.Add(name, (place, place));
            return;
        }

        _targets[chain.Last] = (_targets[chain.Last].Node, place);
        _names[name] = (chain.First, place);
    }

    /// <returns>How many there are.</returns>
    public int Find(QualifiedName name, List<NodeHandle> into)
    {
        var count = 0;
        if (!_names.TryGetValue(name, out var chain))
            return count;
        for (var place = chain.First; place != None; place = _targets[place].Next, count++)
            into.Add(_targets[place].Node);
        return count;
    }
}
