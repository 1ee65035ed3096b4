using System.Buffers;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Operations.Browsing;

namespace Gateway.Operations.Searching;

/// <summary>The words of one search, and for each node the words that stand in its names or in those of the nodes above
/// it: two bytes a node, looked up once. One owner; disposing gives them back.</summary>
internal sealed class SearchWords : IDisposable
{
    public const int MaxWords = 15;

    /// <summary>The node was looked up, or is being looked up further down a circle.</summary>
    private const ushort Known = 1 << MaxWords;

    private static readonly char[] Separators = [' ', '\t', '/'];

    private readonly NodeTable _nodes;
    private readonly NodePaths _paths;
    private readonly string _text;
    private readonly string[] _words;
    private readonly ushort[] _found;

    public SearchWords(NodeTable nodes, NodePaths paths, string text)
    {
        (_nodes, _paths) = (nodes, paths);
        _words = Split(text);
        _text = string.Join(' ', _words);
        End = nodes.HandleEnd;
        _found = ArrayPool<ushort>.Shared.Rent(End);
        _found.AsSpan(0, End).Clear();
    }

    /// <summary>One past the last handle that the search visits.</summary>
    public int End { get; }

    public int Count => _words.Length;

    private ushort All => (ushort)((1 << _words.Length) - 1);

    /// <summary>Of a path as it is printed, <c>/Objects/2:Press&amp;/Oven</c>, the names without their namespaces and
    /// without the signs that protect others. Of a long path the last ones: they say most.</summary>
    public static string[] Split(string text)
    {
        var words = text.Split(Separators, StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        if (!text.StartsWith('/'))
            return words;
        if ((words.Length <= MaxWords && !text.Contains('&', StringComparison.Ordinal)) ||
            !RelativePathText.TryParse(text, static _ => default, out var path))
            return Array.ConvertAll(words, WithoutNamespace);
        // None behind a last stroke, and no word that stands in every text.
        string[] names =
        [
            .. path.Elements!.Select(static one => one.TargetName.Name ?? "").Where(static name => name.Length > 0),
        ];
        return names.Length > MaxWords ? names[^MaxWords..] : names;
    }

    /// <summary>Null: not all words stand there, or none of them in the node itself. Without words every node fits.
    /// </summary>
    public SearchRank? Match(Caller caller, NodeHandle node)
    {
        if (_words.Length == 0)
            return SearchRank.Elsewhere;
        var missing = All & ~InNamesUpTo(caller, node.Index);
        if (missing != 0 && (missing & ~InRest(node)) != 0)
            return null;
        var own = InNames(node);
        if (own == All)
            return RankOfName(node);
        return own != 0 || InRest(node) != 0 ? SearchRank.Elsewhere : null;
    }

    public void Dispose() => ArrayPool<ushort>.Shared.Return(_found);

    private static string WithoutNamespace(string word)
    {
        var colon = word.IndexOf(':', StringComparison.Ordinal);
        return colon > 0 && colon < word.Length - 1 && !word.AsSpan(0, colon).ContainsAnyExceptInRange('0', '9')
            ? word[(colon + 1)..]
            : word;
    }

    private SearchRank RankOfName(NodeHandle node)
    {
        var (name, display) = (_nodes.GetBrowseName(node).Name ?? "", _nodes.GetDisplayName(node).Text ?? "");
        if (name.Equals(_text, StringComparison.OrdinalIgnoreCase) ||
            display.Equals(_text, StringComparison.OrdinalIgnoreCase))
            return SearchRank.SameName;
        return name.StartsWith(_text, StringComparison.OrdinalIgnoreCase) ||
            display.StartsWith(_text, StringComparison.OrdinalIgnoreCase)
            ? SearchRank.NameStart
            : SearchRank.InNames;
    }

    /// <summary>In the names of the node and of those above it. Each node is looked up once.</summary>
    private ushort InNamesUpTo(Caller caller, int index)
    {
        Span<int> way = stackalloc int[NodePaths.MaxDepth];
        var depth = 0;
        ushort found = 0;
        while (index != 0 && index < End && depth < way.Length)
        {
            if ((_found[index] & Known) != 0)
            {
                found = _found[index];
                break;
            }

            _found[index] = Known;
            way[depth++] = index;
            index = _paths.ParentOf(caller, new NodeHandle(index)).Index;
        }

        while (depth-- > 0)
            _found[way[depth]] = found |= (ushort)(InNames(new NodeHandle(way[depth])) | Known);
        return (ushort)(found & ~Known);
    }

    private ushort InNames(NodeHandle node)
    {
        var name = _nodes.GetBrowseName(node).Name;
        var display = _nodes.GetDisplayName(node).Text;
        var found = In(name);
        return found == All || ReferenceEquals(name, display) ? found : (ushort)(found | In(display));
    }

    private ushort InRest(NodeHandle node)
    {
        var id = _nodes.GetNodeId(node);
        var found = id.IdType == IdType.String ? In(id.String) : (ushort)0;
        return (ushort)(found | In(_nodes.GetDescription(node).Text));
    }

    private ushort In(string? text)
    {
        if (string.IsNullOrEmpty(text))
            return 0;
        var found = 0;
        for (var i = 0; i < _words.Length; i++)
        {
            if (text.Contains(_words[i], StringComparison.OrdinalIgnoreCase))
                found |= 1 << i;
        }

        return (ushort)found;
    }
}
