using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Rest.Nodes;

/// <summary>A node as a request names it.</summary>
/// <param name="Text">As received.</param>
/// <param name="Id">Null if <see cref="Status"/> is bad, or until the path is followed.</param>
/// <param name="Path">A browse path that must be followed first.</param>
/// <param name="Status">Bad: there is no such node for the caller.</param>
internal readonly record struct NamedNode(
    string Text, NodeId Id, RelativePath? Path = null, StatusCode Status = default);
