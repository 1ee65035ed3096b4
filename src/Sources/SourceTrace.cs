using Gateway.Codec.Types;

namespace Gateway.Sources;

/// <summary>Where the values of one node come from, as a driver knows it.</summary>
/// <param name="Report">The connection that serves the node.</param>
public sealed record SourceTrace(SourceReport Report)
{
    /// <summary>The driver asks for the node's changes only while somebody watches it.</summary>
    public bool NeedsInterest { get; init; }

    /// <summary>Somebody watches the node, and the driver knows it.</summary>
    public bool IsWanted { get; init; }

    /// <summary>An item of the other side follows the node.</summary>
    public bool IsFollowed { get; init; }

    /// <summary>Of that item, as revised.</summary>
    public double SamplingMs { get; init; }

    /// <summary>Why the other side refused the item; Good: it did not.</summary>
    public StatusCode Refusal { get; init; }
}
