using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Loadtest.Scenarios.Soak;

/// <summary>Changes a subscription's items in every way, while it publishes and with many requests under way. Errors:
/// ServiceException of a whole service; single items may be gone already.</summary>
internal sealed class Flood(ClientSession session, ClientSubscription subscription, uint[] items, Random random)
{
    public static MonitoredItemCreateRequest Item(NodeId tag, uint clientHandle) => new()
    {
        ItemToMonitor = new ReadValueId { NodeId = tag, AttributeId = (uint)AttributeId.Value },
        MonitoringMode = MonitoringMode.Reporting,
        RequestedParameters = Parameters(clientHandle, 10),
    };

    public async Task BurstAsync(int requests, CancellationToken end)
    {
        var underWay = new Task[requests];
        for (var i = 0; i < requests; i++)
            underWay[i] = OneAsync(random.Next(4), end);
        await Task.WhenAll(underWay);
    }

    private async Task OneAsync(int kind, CancellationToken end)
    {
        var ids = Ids();
        switch (kind)
        {
            case 0:
                await session.InvokeAsync<ModifyMonitoredItemsRequest, ModifyMonitoredItemsResponse>(
                    new ModifyMonitoredItemsRequest
                    {
                        SubscriptionId = subscription.Id,
                        TimestampsToReturn = TimestampsToReturn.Both,
                        ItemsToModify = Array.ConvertAll(ids, id => new MonitoredItemModifyRequest
                        {
                            MonitoredItemId = id,
                            RequestedParameters = Parameters(id, (uint)random.Next(1, 100)),
                        }),
                    },
                    end);
                break;
            case 1:
                await session.InvokeAsync<SetMonitoringModeRequest, SetMonitoringModeResponse>(
                    new SetMonitoringModeRequest
                    {
                        SubscriptionId = subscription.Id,
                        MonitoringMode = (MonitoringMode)random.Next(3),
                        MonitoredItemIds = ids,
                    },
                    end);
                break;
            case 2:
                await session.InvokeAsync<ModifySubscriptionRequest, ModifySubscriptionResponse>(
                    new ModifySubscriptionRequest
                    {
                        SubscriptionId = subscription.Id,
                        RequestedPublishingInterval = random.Next(50, 500),
                        RequestedLifetimeCount = 100,
                        RequestedMaxKeepAliveCount = 10,
                    },
                    end);
                break;
            default:
                await subscription.DeleteMonitoredItemsAsync(ids[..1], end);
                break;
        }
    }

    /// <summary>Some of them may be gone, or there twice.</summary>
    private uint[] Ids() => random.GetItems(items, random.Next(1, 20));

    private static MonitoringParameters Parameters(uint clientHandle, uint queueSize) => new()
    {
        ClientHandle = clientHandle,
        SamplingInterval = 0,
        QueueSize = queueSize,
        DiscardOldest = true,
    };
}
