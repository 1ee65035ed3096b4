using Gateway.Codec.Structures;

namespace Gateway.Operations.Browsing;

/// <summary>One node's answer in the making.</summary>
internal sealed class BrowsePart(BrowseCursor cursor, long request)
{
    /// <summary>Which of its owner's requests this is: its continuation point may take an earlier one's place.
    /// </summary>
    public long Request { get; } = request;

    public BrowseCursor Cursor { get; } = cursor;

    public List<ReferenceDescription> Found { get; } = [];

    /// <summary>The result is full; the browse only has to find out whether there is more.</summary>
    public bool IsFull { get; set; }
}
