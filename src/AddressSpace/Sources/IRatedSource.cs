using Gateway.AddressSpace.Nodes;

namespace Gateway.AddressSpace.Sources;

/// <summary>A source that looks for changes as often as somebody wants them, and no oftener.</summary>
public interface IRatedSource : IInterestSource
{
    /// <summary>The items on the node need a look so often, 0: as often as it goes. Told before the first interest, and
    /// at each change; called like <see cref="IInterestSource.OnInterest"/>.</summary>
    void OnRate(NodeHandle node, double intervalMs);
}
