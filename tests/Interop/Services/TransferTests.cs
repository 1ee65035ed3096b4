using Gateway.Interop.Scripts;

namespace Gateway.Interop.Services;

/// <summary>Subscriptions that go from one session of node-opcua's client to another, and the two methods that clients
/// use then: transfer.js.</summary>
[Collection(nameof(ServicesCollection))]
public sealed class TransferTests(ServicesFixture fixture)
{
    [PeerTheory]
    [InlineData("withInitialValues", "5: 11")]
    [InlineData("withoutInitialValues")]
    public async Task Transfer_SameUser_MovesTheSubscriptionAndTellsTheOldSession(string name, params string[] first)
    {
        CaseResult result = await CaseAsync(name);

        result.ExpectAll("transferred", new { status = "Good", available = new[] { 1 } });
        result.Expect("first", first);
        result.Expect("farewell", "GoodSubscriptionTransferred");
        result.Expect("own", true);
        result.Expect("afterwards", "BadNoSubscription");
        result.ExpectAll("changed", "5: 12");
    }

    [PeerTheory]
    [InlineData("sameUserOtherApplication", "Good")]
    [InlineData("otherUser", "BadUserAccessDenied")]
    [InlineData("userToAnonymous", "BadUserAccessDenied")]
    [InlineData("anonymousToUser", "BadUserAccessDenied")]
    [InlineData("anonymousSameApplication", "Good")]
    [InlineData("anonymousOtherApplication", "BadUserAccessDenied")]
    [InlineData("anonymousUnsigned", "BadUserAccessDenied")]
    [InlineData("unsignedToAnonymous", "BadUserAccessDenied")]
    public async Task Transfer_EachCombinationOfUsers_AsPart4Says(string combination, string status) =>
        (await CaseAsync("users")).Expect(combination, status);

    [PeerFact]
    public async Task Transfer_UnknownOwnOrNone_EachHasItsResult()
    {
        CaseResult result = await CaseAsync("unknown");

        result.Expect("unknown", "BadSubscriptionIdInvalid");
        result.Expect("own", "BadNothingToDo");
        result.Expect("nothing", "BadNothingToDo");
    }

    [PeerFact]
    public async Task Transfer_ConnectionPulledAndSessionTimedOut_RepublishesWhatWasSentAndSendsWhatWasMissed()
    {
        CaseResult result = await CaseAsync("connectionPulled");

        result.Expect("status", "Good");
        result.Expect("kept", true);
        result.ExpectAll("again", "5: 21");
        result.ExpectAll("missed", "5: 22");
    }

    [PeerFact]
    public async Task Transfer_SessionClosedWithoutItsSubscriptions_TakesThemOver()
    {
        CaseResult result = await CaseAsync("sessionClosed");

        result.Expect("status", "Good");
        result.ExpectAll("values", "5: 31");
    }

    [PeerFact]
    public async Task GetMonitoredItemsAndResendData_OwnAndForeign_AnswerTheOwnerOnly()
    {
        CaseResult result = await CaseAsync("methods");

        result.Expect("found", "Good");
        result.ExpectAll("serverHandles", result["itemId"]);
        result.ExpectAll("clientHandles", 5);
        result.ExpectAll("before");
        result.Expect("resent", "Good");
        result.ExpectAll("values", "5: 41");
        result.Expect("strangerFinds", "BadUserAccessDenied");
        result.Expect("strangerResends", "BadUserAccessDenied");
        result.Expect("unknown", "BadSubscriptionIdInvalid");
    }

    private Task<CaseResult> CaseAsync(string name) => fixture.CaseAsync("transfer.js", name);
}
