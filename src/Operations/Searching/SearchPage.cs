using Gateway.AddressSpace.Nodes;

namespace Gateway.Operations.Searching;

/// <param name="Nodes">Best first; visible to the caller.</param>
/// <param name="Next">The cursor of the next page; null: this is the last.</param>
/// <param name="IsComplete">False: the request's work was used up before all nodes were visited
/// (<see cref="OperationLimits.MaxWorkPerRequest"/>).</param>
public sealed record SearchPage(NodeHandle[] Nodes, SearchCursor? Next, bool IsComplete);
