using Gateway.AddressSpace.Nodes;
using Gateway.Client;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Items;

/// <summary>Reads the watched nodes for which the upstream has no item (<see cref="CyclicItems"/>), by requests of the
/// size that it takes. Thread: one, of the connector. Errors: <see cref="ServiceException"/> where the connection is
/// lost.</summary>
internal sealed class CyclicReader(UpstreamItems items, NodeTable nodes, UpstreamLimits limits)
{
    /// <summary>Until it is cancelled or the connection is lost.</summary>
    public async Task RunAsync(UpstreamLink link, CancellationToken cancellation)
    {
        while (true)
        {
            await items.WaitForCycleAsync(cancellation).ConfigureAwait(false);
            var part = items.TakeCycle(link);
            if (part.Length > 0)
                await ReadAsync(link, part, cancellation).ConfigureAwait(false);
        }
    }

    private async ValueTask ReadAsync(UpstreamLink link, int[] part, CancellationToken cancellation)
    {
        DataValue[] read;
        try
        {
            var reads = Array.ConvertAll(part, handle => Read(link, handle));
            var allowance = new ValueAllowance(limits.MaxUpstreamAnswerBytes);
            read = await link.Session.ReadAsync(reads, 0, link.Sizes.NodesPerRead, allowance, cancellation)
                .ConfigureAwait(false);
        }
        catch (ServiceException refused) when (!refused.IsConnectionLost)
        {
            // The next beat asks again. A controller that is slow at this moment keeps its session.
            read = new DataValue[part.Length];
            Array.Fill(read, new DataValue(refused.Status));
        }

        items.TakeRead(link, part, read, ReadValues.ToLocal(link, read));
    }

    private ReadValueId Read(UpstreamLink link, int handle)
    {
        link.Namespaces.TryToUpstream(nodes.GetNodeId(new NodeHandle(handle)), out var id);
        return new ReadValueId { NodeId = id, AttributeId = (uint)AttributeId.Value };
    }
}
