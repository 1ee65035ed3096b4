using System.Globalization;
using Gateway.AddressSpace.Nodes;

namespace Gateway.Operations.Searching;

/// <summary>The last node of a page. Valid for the life of the process; nothing is kept for it. Default: before the
/// first.</summary>
public readonly record struct SearchCursor(SearchRank Rank, NodeHandle Node)
{
    /// <summary>Whether a node found belongs to the pages behind this one.</summary>
    public bool IsBefore(SearchRank rank, NodeHandle node) =>
        Node.IsNone || rank > Rank || (rank == Rank && node.Index > Node.Index);

    /// <summary>Rank and handle, <c>2-1047</c>.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{(int)Rank}-{Node.Index}");

    public static bool TryParse(string text, out SearchCursor cursor)
    {
        cursor = default;
        var dash = text.IndexOf('-', StringComparison.Ordinal);
        if (dash < 0 || !TryParse(text.AsSpan(0, dash), out var rank) ||
            !TryParse(text.AsSpan(dash + 1), out var node) || !Enum.IsDefined((SearchRank)rank))
            return false;
        cursor = new SearchCursor((SearchRank)rank, new NodeHandle(node));
        return true;
    }

    private static bool TryParse(ReadOnlySpan<char> text, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);
}
