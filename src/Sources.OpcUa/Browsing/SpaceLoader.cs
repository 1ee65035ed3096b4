using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>One browse of an upstream: its types, then the nodes below the roots, then the attributes of all. Errors:
/// <see cref="Client.ServiceException"/>, <see cref="UpstreamBoundException"/>.</summary>
internal static class SpaceLoader
{
    public static async ValueTask<BrowsedSpace> LoadAsync(
        UpstreamLink link, UpstreamContext context, NodeId[] roots, int maxNodes, CancellationToken cancellation)
    {
        var budget = new BrowseBudget(context.Limits, context.Time);
        var (space, hierarchy) = (new BrowsedSpace(), new ReferenceHierarchy(context.Nodes));
        await new ModelBrowser(link, budget, space, hierarchy, maxNodes).BrowseAsync(cancellation)
            .ConfigureAwait(false);
        await new UpstreamBrowser(link, budget, space, hierarchy, maxNodes).BrowseAsync(roots, cancellation)
            .ConfigureAwait(false);
        await new AttributeLoader(link, budget).LoadAsync(space, [.. space.Nodes.Values], cancellation)
            .ConfigureAwait(false);
        await new DataTypeResolver(link, budget, context.Nodes).ResolveAsync(space, cancellation)
            .ConfigureAwait(false);
        space.Versions = await new NamespaceVersions(link, budget).ReadAsync(cancellation).ConfigureAwait(false);
        return space;
    }
}
