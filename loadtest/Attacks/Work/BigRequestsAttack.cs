using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Loadtest.Attacks.Work;

/// <summary>Four connections ask each service for as much as one request may ask, in a circle.</summary>
internal sealed class BigRequestsAttack : Attack
{
    private const uint GetMonitoredItems = 11492;
    private const uint ServerObject = 2253;

    public override string Name => "big-requests";

    public override string Summary =>
        "4 connections, each service at its largest, for 30 s: nobody else waits for them.";

    public override string Rules => "R44, R43";

    /// <summary>Each tag changes once a second, so that the good client would see it stand still.</summary>
    public override Plant PlantOf(AttackSize size)
    {
        var tags = size == AttackSize.Full ? 10_000 : 1_000;
        return new Plant { Tags = tags, ChangesPerSecond = tags };
    }

    public override async Task RunAsync(AttackContext context)
    {
        var tags = await context.Run.FindTagsAsync(context.Pick(full: 10_000, small: 1_000));
        await WorkLoad.RunAsync(
            context, TimeSpan.FromSeconds(context.Pick(full: 30, small: 2)),
            (session, _, cancellation) => RoundAsync(session, tags, cancellation));
    }

    /// <summary>One subscription's life, and the services without one between.</summary>
    private static async Task RoundAsync(ClientSession session, NodeId[] tags, CancellationToken cancellation)
    {
        await ViewAsync(session, tags, cancellation);
        var subscription = (await session.InvokeAsync<CreateSubscriptionRequest, CreateSubscriptionResponse>(
            new CreateSubscriptionRequest
            {
                RequestedPublishingInterval = 1000,
                RequestedLifetimeCount = 60,
                RequestedMaxKeepAliveCount = 20,
            },
            cancellation)).SubscriptionId;
        try
        {
            await ItemsAsync(session, subscription, tags, cancellation);
        }
        finally
        {
            await session.InvokeAsync<DeleteSubscriptionsRequest, DeleteSubscriptionsResponse>(
                new DeleteSubscriptionsRequest { SubscriptionIds = [subscription] }, cancellation);
        }
    }

    private static async Task ViewAsync(ClientSession session, NodeId[] tags, CancellationToken cancellation)
    {
        await session.InvokeAsync<ReadRequest, ReadResponse>(
            new ReadRequest
            {
                TimestampsToReturn = TimestampsToReturn.Both,
                NodesToRead = Array.ConvertAll(
                    tags, tag => new ReadValueId { NodeId = tag, AttributeId = (uint)AttributeId.Value }),
            },
            cancellation);
        await session.InvokeAsync<WriteRequest, WriteResponse>(
            new WriteRequest
            {
                NodesToWrite = Array.ConvertAll(tags, tag => new WriteValue
                {
                    NodeId = tag,
                    AttributeId = (uint)AttributeId.Value,
                    Value = new DataValue(new Variant("no number")),
                }),
            },
            cancellation);
        await session.InvokeAsync<BrowseRequest, BrowseResponse>(
            new BrowseRequest
            {
                RequestedMaxReferencesPerNode = 100,
                NodesToBrowse = [.. tags.Take(1000).Select(tag => new BrowseDescription
                {
                    NodeId = tag, BrowseDirection = BrowseDirection.Both, ResultMask = (uint)BrowseResultMask.All,
                })],
            },
            cancellation);
        await session.InvokeAsync<RegisterNodesRequest, RegisterNodesResponse>(
            new RegisterNodesRequest { NodesToRegister = tags }, cancellation);
    }

    private static async Task ItemsAsync(
        ClientSession session, uint subscription, NodeId[] tags, CancellationToken cancellation)
    {
        var created = await session.InvokeAsync<CreateMonitoredItemsRequest, CreateMonitoredItemsResponse>(
            new CreateMonitoredItemsRequest
            {
                SubscriptionId = subscription,
                TimestampsToReturn = TimestampsToReturn.Both,
                ItemsToCreate = Array.ConvertAll(tags, tag => new MonitoredItemCreateRequest
                {
                    ItemToMonitor = new ReadValueId { NodeId = tag, AttributeId = (uint)AttributeId.Value },
                    MonitoringMode = MonitoringMode.Reporting,
                    RequestedParameters = new MonitoringParameters { QueueSize = 10 },
                }),
            },
            cancellation);
        var ids = Array.ConvertAll(created.Results!, result => result.MonitoredItemId);
        await session.InvokeAsync<ModifyMonitoredItemsRequest, ModifyMonitoredItemsResponse>(
            new ModifyMonitoredItemsRequest
            {
                SubscriptionId = subscription,
                TimestampsToReturn = TimestampsToReturn.Both,
                ItemsToModify = Array.ConvertAll(ids, id => new MonitoredItemModifyRequest
                {
                    MonitoredItemId = id,
                    RequestedParameters = new MonitoringParameters { QueueSize = 2 },
                }),
            },
            cancellation);
        await session.InvokeAsync<SetTriggeringRequest, SetTriggeringResponse>(
            new SetTriggeringRequest
            {
                SubscriptionId = subscription,
                TriggeringItemId = ids[0],
                LinksToAdd = ids,
                LinksToRemove = null,
            },
            cancellation);
        await session.InvokeAsync<SetMonitoringModeRequest, SetMonitoringModeResponse>(
            new SetMonitoringModeRequest
            {
                SubscriptionId = subscription,
                MonitoringMode = MonitoringMode.Sampling,
                MonitoredItemIds = ids,
            },
            cancellation);
        await session.InvokeAsync<CallRequest, CallResponse>(
            new CallRequest
            {
                MethodsToCall = [.. Enumerable.Repeat(
                    new CallMethodRequest
                    {
                        ObjectId = new NodeId(ServerObject),
                        MethodId = new NodeId(GetMonitoredItems),
                        InputArguments = [new Variant(subscription)],
                    },
                    100)],
            },
            cancellation);
        await session.InvokeAsync<DeleteMonitoredItemsRequest, DeleteMonitoredItemsResponse>(
            new DeleteMonitoredItemsRequest
            {
                SubscriptionId = subscription,
                MonitoredItemIds = ids[..(ids.Length / 2)],
            },
            cancellation);
    }
}
