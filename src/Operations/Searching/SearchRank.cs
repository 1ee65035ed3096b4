namespace Gateway.Operations.Searching;

/// <summary>How well a node fits, best first.</summary>
public enum SearchRank
{
    /// <summary>A name is the text.</summary>
    SameName,

    /// <summary>A name begins with the text.</summary>
    NameStart,

    /// <summary>All words stand in the node's names.</summary>
    InNames,

    /// <summary>Some word stands in the identifier, in the description or in the path only.</summary>
    Elsewhere,
}
