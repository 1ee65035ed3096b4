using System.Globalization;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Browsing;
using Gateway.Operations.Continuation;
using Gateway.Rest.Access;

namespace Gateway.Rest.Lists;

/// <summary>The children of a node page by page: a page is a Browse whose continuation point ends with the request. The
/// cursor is the index of the next reference. So the gateway keeps nothing between pages, and a cursor reveals nothing
/// that the caller may not see (R21). Thread-safe.</summary>
internal sealed class ChildPages(NodeTable nodes, NodeBrowser browser)
{
    private static readonly NodeId Hierarchical = new(StandardIds.ReferenceTypes.HierarchicalReferences);

    /// <param name="request">The caller's request.</param>
    /// <param name="parent">Its id.</param>
    /// <param name="page">Limit and cursor of the page.</param>
    /// <returns>Errors: Bad_NodeIdUnknown; Bad_ContinuationPointInvalid for an invalid cursor.</returns>
    public async ValueTask<ChildPage> ReadAsync(RestRequest request, NodeId parent, PageQuery page)
    {
        var first = 0;
        if (page.Cursor.Length > 0 &&
            !int.TryParse(page.Cursor, NumberStyles.None, CultureInfo.InvariantCulture, out first))
            return ChildPage.Bad(StatusCodes.BadContinuationPointInvalid);
        if (nodes.Find(parent).IsNone)
            return ChildPage.Bad(StatusCodes.BadNodeIdUnknown);
        var points = new PagePoints();
        var results = first == 0
            ? await browser.BrowseAsync(request, points, [Describe(parent)], (uint)page.Limit).ConfigureAwait(false)
            : await browser.BrowseNextAsync(request, points, [points.Begin(CursorOf(parent, first, page.Limit))])
                .ConfigureAwait(false);
        if (results[0].StatusCode.IsBad)
            return ChildPage.Bad(results[0].StatusCode);
        var next = points.BrowsePoints.Take(results[0].ContinuationPoint);
        return new ChildPage(
            [.. (results[0].References ?? []).Where(static one => one.NodeId.IsLocal).Select(HandleOf).Distinct()],
            next?.Next.ToString(CultureInfo.InvariantCulture), StatusCode.Good);
    }

    private NodeHandle HandleOf(ReferenceDescription reference) => nodes.Find(reference.NodeId.NodeId);

    private static BrowseDescription Describe(NodeId parent) => new()
    {
        NodeId = parent,
        BrowseDirection = BrowseDirection.Forward,
        ReferenceTypeId = Hierarchical,
        IncludeSubtypes = true,
        ResultMask = (uint)BrowseResultMask.None,
    };

    private BrowseCursor CursorOf(NodeId parent, int first, int limit)
    {
        var node = nodes.Find(parent);
        var filter = new BrowseFilter(
            BrowseDirection.Forward, nodes.Find(Hierarchical), IncludeSubtypes: true, 0, BrowseResultMask.None);
        return new BrowseCursor(node, nodes.References(node), filter, limit) { Next = first };
    }

    /// <summary>For one request.</summary>
    private sealed class PagePoints : IBrowsePointOwner
    {
        public ContinuationPoints<BrowseCursor> BrowsePoints { get; } = new();

        public byte[]? Begin(BrowseCursor cursor) => BrowsePoints.TryAdd(cursor, ContinuationRequest.Begin(), 1);
    }
}
