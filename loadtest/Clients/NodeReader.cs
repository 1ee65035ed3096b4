using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Loadtest.Clients;

/// <summary>Values by Read, and how many of the tags a server has.</summary>
internal static class NodeReader
{
    /// <summary>A small call fits every server.</summary>
    private const int NodesPerRead = 100;

    public static async Task<DataValue[]> ReadAsync(
        ClientSession session, NodeId[] nodes, CancellationToken cancellation)
    {
        List<DataValue> values = [];
        foreach (var part in nodes.Chunk(NodesPerRead))
        {
            var request = new ReadRequest
            {
                TimestampsToReturn = TimestampsToReturn.Neither,
                NodesToRead = Array.ConvertAll(
                    part, node => new ReadValueId { NodeId = node, AttributeId = (uint)AttributeId.Value }),
            };
            var response = await session.InvokeAsync<ReadRequest, ReadResponse>(request, cancellation);
            values.AddRange(response.Results ?? []);
        }

        return [.. values];
    }

    /// <summary>The tags from number 0 that exist without a hole, at most <paramref name="wanted"/>: by
    /// halving.</summary>
    public static async Task<int> CountTagsAsync(
        ClientSession session, Func<int, NodeId> tag, int wanted, CancellationToken cancellation)
    {
        var (there, missing) = (0, wanted + 1);
        var probe = wanted;
        while (missing - there > 1)
        {
            var values = await ReadAsync(session, [tag(probe - 1)], cancellation);
            if (values[0].Status.IsBad)
                missing = probe;
            else
                there = probe;
            probe = (there + missing) / 2;
        }

        return there;
    }
}
