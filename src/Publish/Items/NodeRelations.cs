using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;

namespace Gateway.Publish.Items;

/// <summary>Links a watched Variable and the properties that say what its number means, at both ends. Owner: a shard's
/// <see cref="WatchBook"/>, under its lock.</summary>
internal sealed class NodeRelations
{
    /// <summary>Of a Variable: the properties that are watched with it.</summary>
    public NodeHandle[] Properties { get; set; } = [];

    /// <summary>Of a Variable: High − Low of its EURange; 0 where it is not known.</summary>
    public double RangeSpan { get; set; }

    /// <summary>Of a property: the Variables that it belongs to.</summary>
    public List<NodeHandle>? Owners { get; set; }

    /// <summary>The last value of a property; a reference.</summary>
    public SharedValue? Last { get; set; }
}
