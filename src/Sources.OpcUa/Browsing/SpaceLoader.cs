using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>One browse of an upstream: its types, then the nodes below the roots, then the attributes of all. Errors:
/// <see cref="Client.ServiceException"/>, <see cref="UpstreamBoundException"/>.</summary>
internal static class SpaceLoader
{
    // Percent of the whole that are over behind each step, as it is of a controller with many Variables.
    private const int Types = 15;
    private const int Walk = 50;
    private const int Attributes = 95;
    private const int Whole = 99;

    /// <summary>Read of a node, on the average.</summary>
    private const int AttributesPerNode = 6;

    public static async ValueTask<BrowsedSpace> LoadAsync(
        UpstreamLink link, UpstreamContext context, UpstreamOptions options, NodeId[] roots,
        CancellationToken cancellation)
    {
        var progress = new BrowseProgress(context, options.Name);
        var isWhole = false;
        try
        {
            var space = await LoadAsync(link, context, roots, options.MaxNodes, progress, cancellation)
                .ConfigureAwait(false);
            isWhole = true;
            return space;
        }
        finally
        {
            progress.End(isWhole);
        }
    }

    private static async ValueTask<BrowsedSpace> LoadAsync(
        UpstreamLink link, UpstreamContext context, NodeId[] roots, int maxNodes, BrowseProgress progress,
        CancellationToken cancellation)
    {
        var budget = new BrowseBudget(context.Limits, context.Time, progress);
        progress.Begin(0, Types);
        var (space, hierarchy) = (new BrowsedSpace(), new ReferenceHierarchy(context.Nodes));
        await new ModelBrowser(link, budget, space, hierarchy, maxNodes).BrowseAsync(cancellation)
            .ConfigureAwait(false);
        progress.Begin(Types, Walk);
        await new UpstreamBrowser(link, budget, space, hierarchy, maxNodes).BrowseAsync(roots, cancellation)
            .ConfigureAwait(false);
        var reads = AttributesPerNode * space.Nodes.Count / Math.Max(1, link.Sizes.NodesPerRead);
        progress.Begin(Walk, Attributes, Math.Max(1, reads));
        await new AttributeLoader(link, budget).LoadAsync(space, [.. space.Nodes.Values], cancellation)
            .ConfigureAwait(false);
        progress.Begin(Attributes, Whole);
        await new DataTypeResolver(link, budget, context.Nodes).ResolveAsync(space, cancellation)
            .ConfigureAwait(false);
        var ownBudget = new BrowseBudget(context.Limits, context.Time, progress);
        space.Versions = await new NamespaceVersions(link, ownBudget).ReadAsync(cancellation).ConfigureAwait(false);
        return space;
    }
}
