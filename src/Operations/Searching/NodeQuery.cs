using Gateway.Codec.Types;

namespace Gateway.Operations.Searching;

/// <summary>The words, filters and page of a search.</summary>
public sealed record NodeQuery
{
    /// <summary>Words between spaces or slashes; upper and lower case are the same. Each word must occur in the node's
    /// names, identifier or description, or in the names of the nodes above it, and at least one word in the node
    /// itself. Of a path, <c>/Objects/2:Press</c>, the namespaces count for nothing. May be empty if <see cref="Type"/>
    /// is given.</summary>
    public required string Text { get; init; }

    /// <summary>NodeClass bits; 0: every class.</summary>
    public uint NodeClassMask { get; init; }

    /// <summary>The TypeDefinition, or a Variable's DataType; subtypes count. Null NodeId: every type.</summary>
    public NodeId Type { get; init; }

    /// <summary>Nodes of one page, at least 1.</summary>
    public required int Limit { get; init; }

    /// <summary>The cursor of the previous page; default: the first page.</summary>
    public SearchCursor After { get; init; }
}
