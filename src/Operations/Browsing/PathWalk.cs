using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Operations.Access;

namespace Gateway.Operations.Browsing;

/// <summary>How far the translation of one path has come: which element, which node of those that the elements before
/// led to, which reference of it.</summary>
internal sealed class PathWalk(
    Caller caller, RelativePathElement[] elements, NodeHandle start, NameIndexes names)
{
    public Caller Caller { get; } = caller;

    public RelativePathElement[] Elements { get; } = elements;

    public NameIndexes Names { get; } = names;

    public List<BrowsePathTarget> Targets { get; } = [];

    public int Element { get; set; }

    public bool IsLast => Element == Elements.Length - 1;

    /// <summary>The filter of the present element.</summary>
    public BrowseFilter Filter { get; set; } = null!;

    /// <summary>The nodes that the elements so far led to.</summary>
    public List<NodeHandle> Level { get; private set; } = [start];

    /// <summary>Index of the present node in the level.</summary>
    public int Node { get; set; }

    /// <summary>Index of the node's next reference.</summary>
    public int Reference { get; set; }

    /// <summary>Being filled, or complete; null: the references are looked through.</summary>
    public NameIndex? Index { get; set; }

    /// <summary>References passed.</summary>
    public int Visited { get; set; }

    private List<NodeHandle> Next { get; set; } = [];

    private HashSet<NodeHandle> Seen { get; } = [];

    public void Add(NodeHandle target)
    {
        if (Seen.Add(target))
            Next.Add(target);
    }

    /// <summary>On to the next element.</summary>
    public void Advance()
    {
        (Level, Next) = (Next, []);
        Seen.Clear();
        Element++;
        (Node, Reference) = (0, 0);
    }
}
