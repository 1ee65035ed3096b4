using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Operations.Browsing;
using Gateway.Rest.Access;

namespace Gateway.Rest.Nodes;

/// <summary>Finds nodes by the names that requests use: <c>ns=2;s=x</c>, <c>nsu=uri;s=x</c>, or a browse path from the
/// Root folder, <c>/Objects/2:Plant</c>. Thread-safe.</summary>
internal sealed class NodeNames(NodeTable nodes, PathTranslator paths)
{
    public const int MaxLength = 4_096;

    /// <summary>More levels than any address space that people browse has: a path costs 50 times its text.</summary>
    private const int MaxElements = 64;

    public const string Expected = "expected a node id like ns=2;s=x or nsu=<uri>;s=x, or a path like /Objects/2:Plant";

    private const string UriKey = "nsu=";

    /// <summary>Targets of a path that are kept: two are too many already.</summary>
    private const int OneOrTooMany = 2;

    private static readonly NodeId Root = new(StandardIds.Objects.RootFolder);

    /// <summary>For the usual forms, straight from UTF-8.</summary>
    public PlainNodeIds PlainIds() => new(nodes.Namespaces);

    /// <summary>False: it is no node id at all. A namespace that is not here makes it unknown.</summary>
    public bool TryParse(string text, out NamedNode node)
    {
        node = default;
        if (text.Length is 0 or > MaxLength || text.Contains('\0', StringComparison.Ordinal))
            return false;
        if (text[0] == '/')
        {
            if (text.Length == 1)
                node = new NamedNode(text, Root);
            else if (RelativePathText.TryParse(text, static _ => default, out var path, MaxElements))
                node = new NamedNode(text, default, path);
            return node.Text is not null;
        }

        if (TryParsePlain(text, out var plain))
        {
            node = new NamedNode(text, plain);
            return true;
        }

        if (!NodeIdText.TryParse(text, out ExpandedNodeId id))
            return false;
        node = TryFindNamespace(id, out var local)
            ? new NamedNode(text, local)
            : new NamedNode(text, default, Status: StatusCodes.BadNodeIdUnknown);
        return true;
    }

    /// <summary>Follows the browse paths among the nodes; the others stay. A path that the caller cannot follow to one
    /// node is bad: BadNoMatch, BadTooManyMatches, BadQueryTooComplex.</summary>
    public ValueTask FollowAsync(RestRequest request, NamedNode[] named) =>
        Array.Exists(named, static one => one.Path is not null) ? FollowPathsAsync(request, named) : default;

    /// <summary>The same for one node.</summary>
    public async ValueTask<NamedNode> FollowAsync(RestRequest request, NamedNode named)
    {
        NamedNode[] one = [named];
        await FollowAsync(request, one).ConfigureAwait(false);
        return one[0];
    }

    private async ValueTask FollowPathsAsync(RestRequest request, NamedNode[] named)
    {
        var open = Enumerable.Range(0, named.Length).Where(i => named[i].Path is not null).ToArray();
        var results = await paths.TranslateAsync(request, Array.ConvertAll(
            open, i => new BrowsePath { StartingNode = Root, RelativePath = named[i].Path! }),
            OneOrTooMany).ConfigureAwait(false);
        request.EndTurns();
        for (var i = 0; i < open.Length; i++)
        {
            var text = named[open[i]].Text;
            var status = results[i].StatusCode;
            named[open[i]] = results[i].Targets switch
            {
                _ when status.IsBad => new NamedNode(text, default, Status: status),
                [{ TargetId: { IsLocal: true } target }] => new NamedNode(text, target.NodeId),
                [_] => new NamedNode(text, default, Status: StatusCodes.BadNoMatch),
                _ => new NamedNode(text, default, Status: StatusCodes.BadTooManyMatches),
            };
        }
    }

    /// <summary><c>nsu=uri;i=1</c> of a namespace that is here, as answers have it: without a copy of the URI. False:
    /// any other form.</summary>
    private bool TryParsePlain(ReadOnlySpan<char> text, out NodeId id)
    {
        id = default;
        var end = text.IndexOf(';');
        if (end + 2 >= text.Length || text[end + 2] != '=' || !text.StartsWith(UriKey, StringComparison.Ordinal))
            return false;
        var uri = text[UriKey.Length..end];
        if (uri.Contains('%') || !nodes.Namespaces.TryGetIndex(uri, out var index) ||
            !NodeIdText.TryParse(text[(end + 1)..], out NodeId local))
            return false;
        id = local.WithNamespace(index);
        return true;
    }

    private bool TryFindNamespace(in ExpandedNodeId id, out NodeId local)
    {
        local = id.NodeId;
        if (id.ServerIndex != 0)
            return false;
        if (id.NamespaceUri is not { } uri)
            return true;
        var found = nodes.Namespaces.TryGetIndex(uri, out var index);
        local = local.WithNamespace(index);
        return found;
    }
}
