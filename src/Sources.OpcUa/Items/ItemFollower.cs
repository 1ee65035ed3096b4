using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Items;

/// <summary>Keeps the monitored items upstream in line with <see cref="UpstreamItems"/>, by requests of the size that
/// the upstream takes. Thread: the connector's loop. Errors: <see cref="Client.ServiceException"/>, <see
/// cref="UpstreamBoundException"/>.</summary>
internal sealed class ItemFollower(UpstreamItems items, NodeTable nodes, UpstreamLimits limits)
{
    /// <summary>Of each item. Sampling and publishing run apart: now and then two samples meet one publish.</summary>
    public const uint QueueSize = 4;

    /// <summary>With the samples of a short break. An upstream that grants less tells an overflow.</summary>
    private const double LargestQueue = 1_000;

    private static readonly ExtensionObject TimestampFilter =
        new(new DataChangeFilter { Trigger = DataChangeTrigger.StatusValueTimestamp });

    /// <summary>The connection was lost before an answer on items came: nobody knows which ones the upstream has.
    /// </summary>
    public bool IsInDoubt { get; private set; }

    /// <summary>Follows the wishes until it is cancelled or a request fails.</summary>
    public async Task FollowAsync(UpstreamLink link, uint subscriptionId, CancellationToken cancellation)
    {
        IsInDoubt = false;
        while (true)
        {
            await items.WaitAsync(cancellation).ConfigureAwait(false);
            var (create, delete, retime, refresh) = items.TakeChanges(link);
            await CreateAsync(link, subscriptionId, create, cancellation).ConfigureAwait(false);
            await DeleteAsync(link, subscriptionId, delete, cancellation).ConfigureAwait(false);
            await ModifyAsync(link, subscriptionId, retime, cancellation).ConfigureAwait(false);
            if (refresh)
                await RefreshAsync(link, cancellation).ConfigureAwait(false);
        }
    }

    private async ValueTask CreateAsync(
        UpstreamLink link, uint subscriptionId, List<int> handles, CancellationToken cancellation)
    {
        foreach (var part in handles.Chunk(link.Sizes.MonitoredItemsPerCall))
        {
            var requests = Array.ConvertAll(part, handle => Item(link, handle));
            var request = new CreateMonitoredItemsRequest
            {
                SubscriptionId = subscriptionId,
                TimestampsToReturn = TimestampsToReturn.Source,
                ItemsToCreate = requests,
            };
            IsInDoubt = true;
            var response = await link.Session
                .InvokeAsync<CreateMonitoredItemsRequest, CreateMonitoredItemsResponse>(request, cancellation)
                .ConfigureAwait(false);
            items.OnCreated(link, part, requests, UpstreamRequests.Matching(response.Results, part.Length));
            IsInDoubt = !items.IsFollowing(link);
        }
    }

    private async ValueTask DeleteAsync(
        UpstreamLink link, uint subscriptionId, List<int> handles, CancellationToken cancellation)
    {
        foreach (var part in handles.Chunk(link.Sizes.MonitoredItemsPerCall))
        {
            IsInDoubt = true;
            var ids = items.TakeActive(part);
            if (ids.Length == 0)
            {
                IsInDoubt = !items.IsFollowing(link);
                continue;
            }

            var request = new DeleteMonitoredItemsRequest
            {
                SubscriptionId = subscriptionId,
                MonitoredItemIds = ids,
            };
            await link.Session
                .InvokeAsync<DeleteMonitoredItemsRequest, DeleteMonitoredItemsResponse>(request, cancellation)
                .ConfigureAwait(false);
            IsInDoubt = !items.IsFollowing(link);
        }
    }

    /// <summary>An upstream that has no such filter goes on without: its item stays as it is.</summary>
    private async ValueTask ModifyAsync(
        UpstreamLink link, uint subscriptionId, List<int> retime, CancellationToken cancellation)
    {
        IsInDoubt = true;
        foreach (var part in items.TakeModified(retime).Chunk(link.Sizes.MonitoredItemsPerCall))
        {
            var request = new ModifyMonitoredItemsRequest
            {
                SubscriptionId = subscriptionId,
                TimestampsToReturn = TimestampsToReturn.Source,
                ItemsToModify = Array.ConvertAll(part, item => new MonitoredItemModifyRequest
                {
                    MonitoredItemId = item.Id,
                    RequestedParameters = Parameters(item.Node, item.Timestamps),
                }),
            };
            var response = await link.Session
                .InvokeAsync<ModifyMonitoredItemsRequest, ModifyMonitoredItemsResponse>(request, cancellation)
                .ConfigureAwait(false);
            items.OnModified(
                link, request.ItemsToModify, UpstreamRequests.Matching(response.Results, part.Length));
        }

        IsInDoubt = !items.IsFollowing(link);
    }

    private async ValueTask RefreshAsync(UpstreamLink link, CancellationToken cancellation)
    {
        foreach (var part in items.ActiveHandles().Chunk(link.Sizes.NodesPerRead))
        {
            var reads = Array.ConvertAll(part, handle => Item(link, handle).ItemToMonitor);
            var allowance = new ValueAllowance(limits.MaxUpstreamAnswerBytes);
            var read = await link.Session.ReadAsync(reads, 0, link.Sizes.NodesPerRead, allowance, cancellation)
                .ConfigureAwait(false);
            items.TakeRefreshed(link, part, read, ToLocal(link, read));
        }
    }

    /// <returns>The encoded sizes.</returns>
    private static int[] ToLocal(UpstreamLink link, DataValue[] read)
    {
        using var encoded = new PooledBuffer();
        var sizes = new int[read.Length];
        for (var i = 0; i < read.Length; i++)
        {
            read[i] = link.Namespaces.ToLocal(
                read[i] with { Status = read[i].Status.WithoutOverflow(), ServerTimestamp = default });
            encoded.Reset();
            var writer = new UaBinaryWriter(encoded);
            writer.WriteVariant(read[i].Value);
            writer.Complete();
            sizes[i] = encoded.WrittenSpan.Length;
        }

        return sizes;
    }

    private MonitoredItemCreateRequest Item(UpstreamLink link, int handle)
    {
        // A namespace that the upstream no longer has gives a null id, and the item its Bad_NodeIdUnknown.
        link.Namespaces.TryToUpstream(nodes.GetNodeId(new NodeHandle(handle)), out var id);
        return new MonitoredItemCreateRequest
        {
            ItemToMonitor = new ReadValueId { NodeId = id, AttributeId = (uint)AttributeId.Value },
            MonitoringMode = MonitoringMode.Reporting,
            RequestedParameters = Parameters(handle, timestamps: false),
        };
    }

    private MonitoringParameters Parameters(int handle, bool timestamps) => new()
    {
        ClientHandle = (uint)handle,
        SamplingInterval = items.AskedMs(handle),
        Filter = timestamps ? TimestampFilter : default,
        QueueSize = QueueSize + SamplesOfABreak(handle),
        DiscardOldest = true,
    };

    private uint SamplesOfABreak(int handle) =>
        (uint)Math.Min(LargestQueue, Math.Ceiling(items.Bridge.TotalMilliseconds / items.AskedMs(handle)));
}
