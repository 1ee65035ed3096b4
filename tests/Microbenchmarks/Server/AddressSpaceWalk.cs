using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Testing.Loopback;

namespace Gateway.Microbenchmarks.Server;

/// <summary>Browses forward and hierarchically from Root until there is nothing new.</summary>
internal sealed class AddressSpaceWalk(WireClient client)
{
    private const uint Root = 84;
    private const uint HierarchicalReferences = 33;
    private const uint AllFields = 63;

    private readonly HashSet<NodeId> _seen = [];
    private readonly Queue<NodeId> _next = new();
    private int _references;

    /// <param name="batch">Nodes a Browse.</param>
    /// <param name="referencesAnAnswer">0: all at once.</param>
    /// <returns>Nodes found.</returns>
    public int Run(int batch, uint referencesAnAnswer)
    {
        _references = 0;
        _seen.Clear();
        Add(new NodeId(Root));
        while (_next.Count > 0)
        {
            var nodes = new BrowseDescription[Math.Min(batch, _next.Count)];
            for (var i = 0; i < nodes.Length; i++)
                nodes[i] = Describe(_next.Dequeue());
            var response = client.Call<BrowseRequest, BrowseResponse>(new BrowseRequest
            {
                RequestedMaxReferencesPerNode = referencesAnAnswer,
                NodesToBrowse = nodes,
            });
            foreach (var result in response.Results!)
                Follow(result);
        }

        return _seen.Count;
    }

    public override string ToString() => $"{_seen.Count:N0} nodes, {_references:N0} references";

    private static BrowseDescription Describe(NodeId node) => new()
    {
        NodeId = node,
        BrowseDirection = BrowseDirection.Forward,
        ReferenceTypeId = new NodeId(HierarchicalReferences),
        IncludeSubtypes = true,
        ResultMask = AllFields,
    };

    private void Follow(BrowseResult result)
    {
        while (true)
        {
            if (result.StatusCode.IsBad)
                throw new InvalidOperationException(result.StatusCode.ToString());
            foreach (var reference in result.References ?? [])
            {
                _references++;
                Add(reference.NodeId.NodeId);
            }

            if (result.ContinuationPoint is not { Length: > 0 } point)
                return;
            result = client.Call<BrowseNextRequest, BrowseNextResponse>(
                new BrowseNextRequest { ContinuationPoints = [point] }).Results![0];
        }
    }

    private void Add(NodeId node)
    {
        if (_seen.Add(node))
            _next.Enqueue(node);
    }
}
