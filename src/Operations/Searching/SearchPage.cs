using Gateway.AddressSpace.Nodes;

namespace Gateway.Operations.Searching;

/// <param name="Nodes">Best first; visible to the caller.</param>
/// <param name="Next">For the page behind; null: this is the last.</param>
/// <param name="IsComplete">False: the request had no work left before all nodes were looked at
/// (<see cref="OperationLimits.MaxWorkPerRequest"/>).</param>
public sealed record SearchPage(NodeHandle[] Nodes, SearchCursor? Next, bool IsComplete);
