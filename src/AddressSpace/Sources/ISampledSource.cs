using Gateway.AddressSpace.Nodes;

namespace Gateway.AddressSpace.Sources;

/// <summary>A source that pushes, but looks for changes at an interval only. A source that pushes every change does not
/// declare this.</summary>
public interface ISampledSource : INodeSource
{
    /// <summary>The shortest time between two looks at the node's value, ms. The gateway promises no sampling interval
    /// below it. Source: Part 4 §5.13.1.2.</summary>
    double SamplingIntervalMs(NodeHandle node);
}
