using Gateway.AddressSpace.Nodes;

namespace Gateway.AddressSpace.Sources;

/// <summary>A source that pushes a value with nothing but a new SourceTimestamp only where it is asked to: that may be
/// every sample, and it costs all on the way.</summary>
public interface ITimestampSource : IInterestSource
{
    /// <summary>The first item with the trigger StatusValueTimestamp came to the node, or the last one went. Called
    /// like <see cref="IInterestSource.OnInterest"/>. Source: Part 4 §7.22.2.</summary>
    void OnTimestampInterest(NodeHandle node, bool wanted);
}
