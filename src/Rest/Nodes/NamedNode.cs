using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Rest.Nodes;

/// <summary>A node as a request names it.</summary>
/// <param name="Text">As it came.</param>
/// <param name="Id">Null where <see cref="Status"/> is bad, or the path is not followed yet.</param>
/// <param name="Path">Of a browse path that is to be followed.</param>
/// <param name="Status">Bad: there is no such node for the caller.</param>
internal readonly record struct NamedNode(
    string Text, NodeId Id, RelativePath? Path = null, StatusCode Status = default);
