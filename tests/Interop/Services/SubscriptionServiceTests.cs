using System.Globalization;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.Services;

/// <summary>The Subscription service set by node-opcua's client: publishing.js.</summary>
[Collection(nameof(ServicesCollection))]
public sealed class SubscriptionServiceTests(ServicesFixture fixture)
{
    [PeerFact]
    public async Task Modify_TimesAndSize_AreRevisedAndTakeEffect()
    {
        CaseResult result = await CaseAsync("modify");

        result.Expect("interval", 100);
        result.Expect("keepAlive", 700);
        result.Expect("lifetime", 2100);
        result.ExpectAll("sizes", 3, 2);
        result.Expect("unknown", "BadSubscriptionIdInvalid");
    }

    [PeerFact]
    public async Task SetPublishingMode_DisabledAndEnabled_HoldsTheValuesBackMeanwhile()
    {
        CaseResult result = await CaseAsync("publishingMode");

        result.ExpectAll("disabled", "Good", "BadSubscriptionIdInvalid");
        result.ExpectAll("silent");
        result.ExpectAll("enabled", 41, 42);
        result.Expect("nothing", "BadNothingToDo");
    }

    [PeerFact]
    public async Task Priority_TwoLateSubscriptions_HigherIsServedFirst() =>
        (await CaseAsync("priorities")).ExpectAll("order", "high", "low");

    [PeerFact]
    public async Task Priority_Equal_SubscriptionsTakeTurns()
    {
        string order = (await CaseAsync("equals"))["order"].GetString()!;

        Assert.Contains(order, new[] { "ababab", "bababa" });
    }

    [PeerFact]
    public async Task MaxNotificationsPerPublish_MoreThanFit_GoOnWithoutWaiting() =>
        (await CaseAsync("moreNotifications")).ExpectAll("messages",
            new { values = new[] { 1, 2 }, more = true },
            new { values = new[] { 3, 4 }, more = true },
            new { values = new[] { 5 }, more = false });

    [PeerFact]
    public async Task Republish_NotAcknowledged_RepeatsTheMessageUntilItIs()
    {
        CaseResult result = await CaseAsync("republish");

        result.ExpectAll("sent", "1: 1", "1: 2", "1: 3");
        result.ExpectAll("available", 1, 2);
        result.ExpectAll("again", "1: 1", "1: 2", "1: 3");
        result.Expect("sameNumber", true);
        result.ExpectAll("acknowledged", "Good");
        result.ExpectAll("left", 1);
        result.Expect("afterwards", "BadMessageNotAvailable");
        result.Expect("unknownSubscription", "BadSubscriptionIdInvalid");
    }

    [PeerFact]
    public async Task Acknowledgements_RepeatedOrUnknown_EachHasItsResult() =>
        (await CaseAsync("acknowledgements")).ExpectAll("results",
            "Good", "BadSequenceNumberUnknown", "BadSequenceNumberUnknown", "BadSubscriptionIdInvalid");

    [PeerFact]
    public async Task Publish_TwoBeyondTheCap_TheOldestTwoAreRefused()
    {
        CaseResult result = await CaseAsync("tooManyPublishRequests");
        int cap = int.Parse(ServicesFixture.MaxPublishRequestsPerSession, CultureInfo.InvariantCulture);

        result.ExpectAll("refused", "0 BadTooManyPublishRequests", "1 BadTooManyPublishRequests");
        result.Expect("rest", Enumerable.Range(2, cap).Select(i => $"{i} BadNoSubscription"));
    }

    [PeerFact]
    public async Task Publish_WithoutASubscription_IsRefused()
    {
        CaseResult result = await CaseAsync("noSubscription");

        result.Expect("never", "BadNoSubscription");
        result.ExpectAll("deleted", "Good", "BadSubscriptionIdInvalid");
        result.Expect("afterwards", "BadNoSubscription");
    }

    [PeerFact]
    public async Task Lifetime_NobodyPublishes_EndsWithAStatusChange()
    {
        CaseResult result = await CaseAsync("expiry");

        result.Expect("lived", true);
        result.Expect("ended", "BadTimeout");
        result.Expect("own", true);
        result.Expect("afterwards", "BadNoSubscription");
    }

    [PeerFact]
    public async Task KeepAlive_BeforeAndAfterData_CarriesTheNextNumberAndTakesNone() =>
        (await CaseAsync("keepAlives")).ExpectAll("messages",
            "keep-alive 1", "keep-alive 1", "data 1", "keep-alive 2", "keep-alive 2");

    private Task<CaseResult> CaseAsync(string name) => fixture.CaseAsync("publishing.js", name);
}
