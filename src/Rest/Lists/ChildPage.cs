using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Rest.Lists;

/// <param name="Nodes">Visible to the caller.</param>
/// <param name="Next">The cursor of the page behind; null: this is the last.</param>
/// <param name="Status">Bad: why there is no page.</param>
internal readonly record struct ChildPage(NodeHandle[] Nodes, string? Next, StatusCode Status)
{
    public static ChildPage Bad(StatusCode status) => new([], null, status);
}
