using System.Text.Json;
using Gateway.Codec.Types;
using Gateway.Server;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Services;

/// <summary>Sessions over HTTP: those of the server, under the same rules.</summary>
[Collection(RestFixture.Name)]
public sealed class SessionTests(RestFixture fixture)
{
    private const string Anonymous = "\"UserIdentityToken\":{\"UaTypeId\":\"i=319\",\"PolicyId\":\"anonymous\"}";
    private const string ReadOnly = "\"NodesToRead\":[{\"NodeId\":\"ns=2;s=ReadOnly\",\"AttributeId\":13}]";

    private const string Write =
        "\"NodesToWrite\":[{\"NodeId\":\"ns=2;s=SByte\",\"AttributeId\":13," +
        "\"Value\":{\"UaType\":2,\"Value\":-3}}]";

    private readonly RestGateway _gateway = fixture.Gateway;

    [Fact]
    public async Task Session_FromCreateToClose_CountsAndReads()
    {
        var server = _gateway.Host.Get<GatewayServer>();
        var before = server.SessionCount;
        var session = await ServiceSession.OpenAsync(_gateway.Operator);

        Assert.Equal(before + 1, server.SessionCount);
        var read = await session.CallAsync("read", ReadOnly);
        Assert.Equal(42, read.GetProperty("Results")[0].GetProperty("Value").GetInt32());
        var registered = await session.CallAsync("registernodes", "\"NodesToRegister\":[\"i=85\"]");
        Assert.Equal("i=85", registered.GetProperty("RegisteredNodeIds")[0].GetString());
        await session.CallAsync("unregisternodes", "\"NodesToUnregister\":[\"i=85\"]");
        await session.CallAsync("cancel", "\"RequestHandle\":9");
        await session.CallAsync("closesession", "\"DeleteSubscriptions\":true");
        Assert.Equal(before, server.SessionCount);
        Assert.Equal(StatusCodes.BadSessionIdInvalid, await session.FaultAsync("read", ReadOnly));
    }

    /// <summary>A token does not help another user (R15).</summary>
    [Fact]
    public async Task Session_TokenOfAnother_Refused()
    {
        var session = await ServiceSession.OpenAsync(_gateway.Operator);

        var (http, json) = await session.AskAsync(_gateway.Observer, "read", ReadOnly);
        var (_, close) = await session.AskAsync(_gateway.Observer, "closesession");

        Assert.Equal((200, StatusCodes.BadSecureChannelIdInvalid), (http, json.ResultOf()));
        Assert.Equal(StatusCodes.BadSecureChannelIdInvalid, close.ResultOf());
        await session.CallAsync("closesession");
    }

    /// <summary>Without a named identity, only the user of HTTP tells one client from another (R15).</summary>
    [Fact]
    public async Task Session_AnonymousOneOfAnotherUser_CannotBeTakenOver()
    {
        var session = await ServiceSession.CreateAsync(_gateway.Operator);
        await session.CallAsync("activatesession", Anonymous);

        var (_, taken) = await session.AskAsync(_gateway.Engineer, "activatesession", Anonymous);

        Assert.Equal(StatusCodes.BadSecurityChecksFailed, taken.ResultOf());
        await session.CallAsync("read", ReadOnly);
        await session.CallAsync("closesession");
    }

    /// <summary>R34.</summary>
    [Fact]
    public async Task Session_ServiceBeforeActivation_EndsIt()
    {
        var session = await ServiceSession.CreateAsync(_gateway.Operator);

        Assert.Equal(StatusCodes.BadSessionNotActivated, await session.FaultAsync("read", ReadOnly));
        Assert.Equal(StatusCodes.BadSessionIdInvalid, await session.FaultAsync("activatesession"));
    }

    [Fact]
    public async Task Session_AnonymousToken_HasThatUsersRights()
    {
        var session = await ServiceSession.OpenAsync(_gateway.Operator);
        var asOperator = await session.CallAsync("write", Write);
        await session.CallAsync("activatesession", Anonymous);
        var asAnonymous = await session.CallAsync("write", Write);
        await session.CallAsync("closesession");

        Assert.False(asOperator.GetProperty("Results")[0].TryGetProperty("Code", out _));
        // In demo mode the anonymous user is an Operator, too.
        Assert.Equal(1, asAnonymous.GetProperty("Results").GetArrayLength());
    }

    [Theory]
    [InlineData("\"UserIdentityToken\":{\"UaTypeId\":\"i=319\",\"PolicyId\":\"unknown\"}")]
    [InlineData("\"UserIdentityToken\":{\"UaTypeId\":\"i=884\",\"Low\":1,\"High\":2}")]
    public async Task Session_TokenThatIsNotOffered_Refused(string token)
    {
        var session = await ServiceSession.CreateAsync(_gateway.Operator);

        Assert.Equal(StatusCodes.BadIdentityTokenInvalid, await session.FaultAsync("activatesession", token));
        await session.CallAsync("activatesession");
        await session.CallAsync("closesession");
    }

    [Fact]
    public async Task Subscription_ThroughItsLife_EachServiceAnswers()
    {
        var session = await ServiceSession.OpenAsync(_gateway.Operator);
        var id = await session.SubscribeAsync("ns=2;s=ReadOnly");
        var published = await session.CallAsync("publish");
        var message = published.GetProperty("NotificationMessage");
        var data = message.GetProperty("NotificationData")[0].GetProperty("MonitoredItems")[0];

        Assert.Equal(id, published.GetProperty("SubscriptionId").GetUInt32());
        Assert.Equal(5u, data.GetProperty("ClientHandle").GetUInt32());
        Assert.Equal(42, data.GetProperty("Value").GetProperty("Value").GetInt32());
        var again = await session.CallAsync("republish", $"\"SubscriptionId\":{id},\"RetransmitSequenceNumber\":1");
        Assert.True(JsonElement.DeepEquals(message, again.GetProperty("NotificationMessage")));
        await session.CallAsync("modifysubscription", $"\"SubscriptionId\":{id},\"RequestedPublishingInterval\":20");
        await session.CallAsync("setpublishingmode", $"\"SubscriptionIds\":[{id}]");
        await session.CallAsync(
            "modifymonitoreditems",
            $"\"SubscriptionId\":{id},\"ItemsToModify\":[{{\"MonitoredItemId\":1}}]");
        await session.CallAsync("setmonitoringmode", $"\"SubscriptionId\":{id},\"MonitoredItemIds\":[1]");
        await session.CallAsync(
            "settriggering", $"\"SubscriptionId\":{id},\"TriggeringItemId\":1,\"LinksToAdd\":[1]");
        await session.CallAsync("deletemonitoreditems", $"\"SubscriptionId\":{id},\"MonitoredItemIds\":[1]");
        await session.CallAsync("deletesubscriptions", $"\"SubscriptionIds\":[{id}]");
        Assert.Equal(StatusCodes.BadNoSubscription, await session.FaultAsync("publish"));
        await session.CallAsync("closesession");
    }

    [Fact]
    public async Task TransferSubscriptions_ToAnotherSessionOfTheUser_GoesOnThere()
    {
        var first = await ServiceSession.OpenAsync(_gateway.Operator);
        var second = await ServiceSession.OpenAsync(_gateway.Operator);
        var id = await first.SubscribeAsync("ns=2;s=ReadOnly");

        var transferred = await second.CallAsync(
            "transfersubscriptions", $"\"SubscriptionIds\":[{id}],\"SendInitialValues\":true");

        Assert.Equal(0u, transferred.GetProperty("Results")[0].CodeOf("StatusCode"));
        var published = await second.CallAsync("publish");
        Assert.Equal(id, published.GetProperty("SubscriptionId").GetUInt32());
        var told = await first.CallAsync("publish");
        Assert.Equal(
            StatusCodes.GoodSubscriptionTransferred,
            told.GetProperty("NotificationMessage").GetProperty("NotificationData")[0].CodeOf("Status"));
        await first.CallAsync("closesession");
        await second.CallAsync("closesession", "\"DeleteSubscriptions\":true");
    }

    /// <summary>Held without a thread until there is something, on a connection of its own.</summary>
    [Fact]
    public async Task Publish_NothingToTell_HeldUntilTheValueChanges()
    {
        var session = await ServiceSession.OpenAsync(_gateway.Operator);
        await session.SubscribeAsync("ns=2;s=Float");
        await session.CallAsync("publish");
        var held = session.CallAsync("publish");
        _gateway.Set("Float", new Variant(7.5f));

        var message = (await held).GetProperty("NotificationMessage");

        Assert.Equal(2u, message.GetProperty("SequenceNumber").GetUInt32());
        Assert.Equal(
            7.5f,
            message.GetProperty("NotificationData")[0].GetProperty("MonitoredItems")[0].GetProperty("Value")
                .GetProperty("Value").GetSingle());
        await session.CallAsync("closesession", "\"DeleteSubscriptions\":true");
    }

    [Fact]
    public async Task Publish_PastItsTimeoutHint_Fault()
    {
        var session = await ServiceSession.OpenAsync(_gateway.Operator);
        await session.SubscribeAsync("ns=2;s=ReadOnly");
        await session.CallAsync("publish");

        var (http, json) = await _gateway.Operator.CallAsync(
            "publish",
            $$$"""{"RequestHeader":{"AuthenticationToken":"{{{session.Token}}}","TimeoutHint":9,"RequestHandle":8}}""");

        Assert.Equal((200, StatusCodes.BadTimeout), (http, json.ResultOf()));
        Assert.Equal(8u, json.GetProperty("ResponseHeader").GetProperty("RequestHandle").GetUInt32());
        await session.CallAsync("closesession", "\"DeleteSubscriptions\":true");
    }
}
