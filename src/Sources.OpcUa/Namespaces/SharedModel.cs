using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Namespaces;

/// <summary>The types that upstreams serve, each once however many upstreams have it. State: by the gateway's id, how
/// many hold it; the last to leave takes the node away. Owner: whoever holds <see cref="Merging"/>.</summary>
internal sealed class SharedModel
{
    private readonly Dictionary<NodeId, int> _holders = [];

    /// <summary>One upstream at a time compares its nodes with those that are there, and adds its own.</summary>
    public Lock Merging { get; } = new();

    public int HoldersOf(NodeId id) => _holders.GetValueOrDefault(id);

    public void Hold(NodeId id) => _holders[id] = HoldersOf(id) + 1;

    /// <summary>True: nobody holds it any more.</summary>
    public bool Leave(NodeId id)
    {
        var left = HoldersOf(id) - 1;
        if (left > 0)
            _holders[id] = left;
        else
            _holders.Remove(id);
        return left <= 0;
    }
}
