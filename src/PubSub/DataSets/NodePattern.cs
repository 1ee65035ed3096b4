using Gateway.Codec.Structures;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.PubSub.Options;

namespace Gateway.PubSub.DataSets;

/// <summary>One entry of a data set's nodes: a node id, a browse path from the Root folder, or either with <c>/*</c> or
/// <c>/**</c> behind it. Immutable.</summary>
public sealed class NodePattern
{
    public const string Expected = "expected a node id like ns=2;s=x or nsu=<uri>;s=x, or a path like /Objects/2:Plant "
        + "with /* (Variables right below) or /** (all below) behind it if all of an object is meant";

    private const int MaxLength = 4_096;
    private const int MaxElements = 64;

    private NodePattern(
        string text, ExpandedNodeId id, RelativePath? path, int depth, FieldOptions? options = null) =>
        (Text, Id, Path, Depth, Options) = (text, id, path, depth, options);

    public string Text { get; }

    /// <summary>Null where there is a <see cref="Path"/>.</summary>
    public ExpandedNodeId Id { get; }

    /// <summary>From the Root folder.</summary>
    public RelativePath? Path { get; }

    /// <summary>Levels below the node whose Variables are meant; 0: the node itself.</summary>
    public int Depth { get; }

    /// <summary>Of the field that it makes; null: those of the data set.</summary>
    public FieldOptions? Options { get; }

    /// <summary>The same node with settings of its own.</summary>
    public NodePattern With(FieldOptions options) => new(Text, Id, Path, Depth, options);

    /// <summary>Null: it is neither.</summary>
    public static NodePattern? Parse(string text)
    {
        var depth = text.EndsWith("/**", StringComparison.Ordinal) ? int.MaxValue
            : text.EndsWith("/*", StringComparison.Ordinal) ? 1
            : 0;
        var rest = depth switch { 0 => text, 1 => text[..^2], _ => text[..^3] };
        if (rest.Length is 0 or > MaxLength)
            return null;
        if (rest[0] != '/')
            return NodeIdText.TryParse(rest, out ExpandedNodeId id) && id.ServerIndex == 0
                ? new NodePattern(text, id, null, depth)
                : null;
        return RelativePathText.TryParse(rest, static _ => default, out var path, MaxElements)
            ? new NodePattern(text, default, path, depth)
            : null;
    }
}
