using System.Runtime.CompilerServices;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Rest.Nodes;

/// <summary>A node as a request names it.</summary>
/// <param name="Text">As received; empty where <see cref="Id"/> says it all.</param>
/// <param name="Id">Null if <see cref="Status"/> is bad, or until the path is followed.</param>
/// <param name="Path">A browse path that must be followed first.</param>
/// <param name="Status">Bad: there is no such node for the caller.</param>
internal readonly record struct NamedNode(
    string Text, NodeId Id, RelativePath? Path = null, StatusCode Status = default)
{
    /// <summary>Of an object's header, and its rounding up.</summary>
    private const int ObjectBytes = 24;

    /// <summary>Memory of itself and its text.</summary>
    public long OwnBytes => Unsafe.SizeOf<NamedNode>() + ObjectBytes + (2L * Text.Length);

    /// <summary>Memory beside itself and its text, estimated from above: of its identifier or its path.</summary>
    public long ExtraBytes => Path?.Elements is { } elements
        ? (3 * ObjectBytes) + (2L * Text.Length) +
            (elements.Length * (ObjectBytes + Unsafe.SizeOf<RelativePathElement>()))
        : Id.IdType == IdType.Numeric ? 0 : ObjectBytes + (2L * Math.Max(Text.Length, Id.String?.Length ?? 0));
}
