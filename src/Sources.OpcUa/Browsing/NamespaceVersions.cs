using Gateway.Client;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>Reads which version of each model the upstream says that it has: NamespaceVersion of its
/// NamespaceMetadata. Many servers do not say, and one that refuses, or says too much, says nothing either. Source:
/// Part 5 §6.3.13. Errors: <see cref="ServiceException"/> where the connection is lost.</summary>
/// <param name="link">To the upstream.</param>
/// <param name="budget">Of its own: it takes nothing from the browse of the nodes.</param>
internal sealed class NamespaceVersions(UpstreamLink link, BrowseBudget budget)
{
    private const string Version = "NamespaceVersion";
    private const uint AllFields = 63;

    private static readonly NodeId Metadata = new(StandardIds.Objects.Server_Namespaces);

    /// <summary>By URI, without the standard's own.</summary>
    public async ValueTask<Dictionary<string, string>> ReadAsync(CancellationToken cancellation)
    {
        var versions = new Dictionary<string, string>(StringComparer.Ordinal);
        try
        {
            await ReadAsync(versions, cancellation).ConfigureAwait(false);
        }
        catch (Exception refused) when (
            refused is UpstreamBoundException or ServiceException { IsConnectionLost: false })
        {
            // For people alone: the nodes are there without it.
        }

        return versions;
    }

    private async ValueTask ReadAsync(Dictionary<string, string> versions, CancellationToken cancellation)
    {
        var namespaces = await ChildrenAsync([Metadata], cancellation).ConfigureAwait(false);
        namespaces.RemoveAll(one => Array.IndexOf(link.Namespaces.Uris, one.Name) < 1);
        if (namespaces.Count == 0)
            return;
        var properties = await ChildrenAsync(namespaces.ConvertAll(static one => one.Id), cancellation)
            .ConfigureAwait(false);
        properties.RemoveAll(static one => one.Name != Version);
        var reads = properties.ConvertAll(
            static one => new ReadValueId { NodeId = one.Id, AttributeId = (uint)AttributeId.Value });
        var allowance = new ValueAllowance(budget.Limits.MaxUpstreamAnswerBytes);
        var values = await link.Session.ReadAsync(reads, 0, link.Sizes.NodesPerRead, allowance, cancellation)
            .ConfigureAwait(false);
        for (var i = 0; i < values.Length; i++)
        {
            if (values[i].Status.IsGood && budget.Cut(new LocalizedText(values[i].Value.AsString())).Text is
                { Length: > 0 } version)
                versions[namespaces[properties[i].Parent].Name] = version;
        }
    }

    private async ValueTask<List<(int Parent, NodeId Id, string Name)>> ChildrenAsync(
        List<NodeId> parents, CancellationToken cancellation)
    {
        List<(int, NodeId, string)> children = [];
        var found = link.Session.BrowseAsync(
            parents.ConvertAll(Description), link.Sizes.NodesPerBrowse, budget, cancellation);
        await foreach (var (parent, result) in found.ConfigureAwait(false))
        {
            foreach (var reference in result.References ?? [])
            {
                if (reference.NodeId.IsLocal && children.Count < budget.Limits.MaxUpstreamNamespaces * 10)
                    children.Add((parent, reference.NodeId.NodeId, reference.BrowseName.Name ?? ""));
            }
        }

        return children;
    }

    private static BrowseDescription Description(NodeId node) => new()
    {
        NodeId = node,
        BrowseDirection = BrowseDirection.Forward,
        ReferenceTypeId = new NodeId(StandardIds.ReferenceTypes.Aggregates),
        IncludeSubtypes = true,
        ResultMask = AllFields,
    };
}
