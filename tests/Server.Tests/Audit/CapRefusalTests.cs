using Gateway.Admission.Explain;
using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Server.Tests.Support;
using Gateway.Transport.Security;

namespace Gateway.Server.Tests.Audit;

/// <summary>A refused subscription or item names the cap that was in the way, and what to change.</summary>
public sealed class CapRefusalTests
{
    private static readonly PublishLimits Default = PublishLimits.Default;

    /// <summary>Each with room for two of what it counts, or ten of what it reserves.</summary>
    private static readonly Dictionary<RefusalReason, PublishLimits> Caps = new()
    {
        [RefusalReason.MaxSubscriptions] = Default with { MaxSubscriptions = 2 },
        [RefusalReason.MaxSubscriptionsPerSession] = Default with { MaxSubscriptionsPerSession = 2 },
        [RefusalReason.MaxSubscriptionsPerUser] = Default with { MaxSubscriptionsPerUser = 2 },
        [RefusalReason.MaxSubscriptionsPerCertificate] = Default with { MaxSubscriptionsPerCertificate = 2 },
        [RefusalReason.MaxSubscriptionsPerAddress] = Default with { MaxSubscriptionsPerAddress = 2 },
        [RefusalReason.ReservedSubscriptions] = Default with { MaxSubscriptions = 12 },
        [RefusalReason.MaxMonitoredItems] = Default with { MaxMonitoredItems = 2 },
        [RefusalReason.MaxMonitoredItemsPerSubscription] = Default with { MaxMonitoredItemsPerSubscription = 2 },
        [RefusalReason.MaxMonitoredItemsPerSession] = Default with { MaxMonitoredItemsPerSession = 2 },
        [RefusalReason.MaxMonitoredItemsPerUser] = Default with { MaxMonitoredItemsPerUser = 2 },
        [RefusalReason.MaxMonitoredItemsPerCertificate] = Default with { MaxMonitoredItemsPerCertificate = 2 },
        [RefusalReason.MaxMonitoredItemsPerAddress] = Default with { MaxMonitoredItemsPerAddress = 2 },
        [RefusalReason.ReservedItems] = Default with { MaxMonitoredItems = 12 },
    };

    public static TheoryData<RefusalReason> Reasons => [.. Caps.Keys];

    [Theory]
    [MemberData(nameof(Reasons))]
    public async Task Create_AtACap_TheListNamesItAndTheRemedy(RefusalReason reason)
    {
        using var fixture = new ServerFixture(publish: Caps[reason]);
        var client = fixture.Connect(SecurityPolicies.Basic256Sha256, address: "127.0.0.9");
        await client.CreateSessionAsync();
        await client.CallAsync<ActivateSessionResponse>(client.NewActivation());
        var isSubscription = reason <= RefusalReason.ReservedSubscriptions;
        var room = reason is RefusalReason.ReservedSubscriptions or RefusalReason.ReservedItems ? 10 : 2;
        var subscription = await SubscribeAsync(client);

        for (var i = 1; isSubscription && i < room; i++)
            await SubscribeAsync(client);
        if (isSubscription)
            await client.FaultAsync(new CreateSubscriptionRequest());
        for (var i = 0; !isSubscription && i <= room; i++)
            await client.CallAsync<CreateMonitoredItemsResponse>(TestRequests.Items(subscription, 1));

        var decision = Assert.Single(fixture.Admission.Decisions.Snapshot());
        Assert.Equal((AdmissionStage.Request, reason), (decision.Stage, decision.Reason));
        Assert.Equal(
            isSubscription ? StatusCodes.BadTooManySubscriptions : StatusCodes.BadTooManyMonitoredItems,
            decision.Status.Code);
        Assert.Equal(("127.0.0.9", TestCertificates.Client.Thumbprint), (decision.Address, decision.Thumbprint));
        var explainer = new AdmissionExplainer(fixture.Admission, new Dictionary<string, object>());
        Assert.Contains(
            $"`Limits:{explainer.LimitOf(decision.Stage, reason)!.Value.Key}`", explainer.AdviceOn(decision),
            StringComparison.Ordinal);
    }

    private static async Task<uint> SubscribeAsync(TestClient client) =>
        (await client.CallAsync<CreateSubscriptionResponse>(new CreateSubscriptionRequest())).SubscriptionId;
}
