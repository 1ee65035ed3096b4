using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Publish.Items;
using Gateway.Publish.Shards;

namespace Gateway.Publish.Services;

/// <summary>How an item comes to its first value: when it is created, and when it is enabled again. Source: Part 4
/// §5.13.1.3.</summary>
internal sealed class ItemStart(NodeTable nodes, ValueStore store)
{
    /// <summary>A value that the store does not have: another attribute, or one that its source reads at once. Null
    /// where there is none; the caller releases it. Holds no lock.</summary>
    public SharedValue? FindInitial(NodeHandle node, AttributeId attribute)
    {
        if (attribute != AttributeId.Value)
        {
            var status = nodes.ReadAttribute(node, attribute, out var value);
            return store.Make(new DataValue(value, status));
        }

        if (store.Contains(node) || nodes.SourceOf(node) is not { } source)
            return null;
        return source.TryRead(node, 0, out var read) ? store.Make(read) : null;
    }

    /// <summary>Watches the node first and looks at the store then: no change falls between. Takes over the initial
    /// value's reference.</summary>
    public void StartUnderLock(Shard shard, MonitoredItem item, SharedValue? initial)
    {
        if (item.Denied.IsBad)
        {
            initial?.Release();
            initial = store.Make(new DataValue(item.Denied));
        }
        else if (item.Attribute == AttributeId.Value)
        {
            shard.Changes.WatchUnderLock(item);
            var current = store.Acquire(item.Node);
            if (current is not null)
            {
                initial?.Release();
                initial = current;
            }
        }

        item.TakeInitial(initial ?? store.Make(new DataValue(StatusCodes.BadWaitingForInitialData)));
    }
}
