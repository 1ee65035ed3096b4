using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;

namespace Gateway.Publish;

/// <summary>Tells the source of a node that an item watches it, or none any more. A source's exception is logged: the
/// item that watches its node exists all the same.</summary>
internal sealed class SourceInterest(NodeTable nodes, PublishCounters counters) : IInterestListener
{
    public void OnInterest(NodeHandle node, bool wanted)
    {
        if (nodes.SourceOf(node) is IInterestSource source)
            Tell(() => source.OnInterest(node, wanted));
    }

    public void OnTimestampInterest(NodeHandle node, bool wanted)
    {
        if (nodes.SourceOf(node) is ITimestampSource source)
            Tell(() => source.OnTimestampInterest(node, wanted));
    }

    private void Tell(Action told)
    {
#pragma warning disable CA1031 // An exception of a source must not stop the item or its shard.
        try
        {
            told();
        }
        catch (Exception error)
#pragma warning restore CA1031
        {
            counters.OnSourceFailed(error);
        }
    }
}
