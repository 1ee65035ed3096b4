using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Subscriptions;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Subscriptions;

/// <summary>Every row of the subscription state table of Part 4 §5.14.1.2, in every state that it holds for: the state
/// before, what happens, what is answered, the state after. Intervals are 100 ms, keep-alive counts 3.</summary>
public sealed class StateTableTests : IAsyncLifetime, IAsyncDisposable
{
    private const SubscriptionState Normal = SubscriptionState.Normal;
    private const SubscriptionState Late = SubscriptionState.Late;
    private const SubscriptionState KeepAlive = SubscriptionState.KeepAlive;
    private const SubscriptionState Closed = SubscriptionState.Closed;

    private static readonly SessionOwner Alice = new("UserName:alice", false, "urn:a", true);

    private readonly PublishFixture _plant = new(limits: new PublishLimits { MaxSubscriptionsPerSession = 2 });
    private readonly TestClient _client;
    private readonly TestClient _friend;
    private readonly TestClient _stranger;
    private Subscription _subscription = null!;

    public StateTableTests() => (_client, _friend, _stranger) = (
        _plant.OpenClient(Alice), _plant.OpenClient(Alice),
        _plant.OpenClient(Alice with { UserKey = "UserName:mallory" }));

    public static TheoryData<int, string, string, string, string> Rows => new()
    {
        // Row, before (with Publish requests held), event, answer, after
        { 4, "Normal", "publish", "", "Normal" },
        { 4, "Normal disabled more", "publish", "", "Normal" },
        { 5, "Normal more", "publish", "values", "Normal" },
        { 6, "Normal held changed", "timer", "values", "Normal" },
        { 7, "New held", "timer", "keep-alive", "Normal" },
        { 7, "New held disabled changed", "timer", "keep-alive", "Normal" },
        { 8, "New", "timer", "", "Late" },
        { 8, "Normal changed", "timer", "", "Late" },
        { 9, "Normal held", "timer", "", "KeepAlive" },
        { 9, "Normal disabled changed", "timer", "", "KeepAlive" },
        { 10, "Late changed", "publish", "values", "Normal" },
        { 11, "Late", "publish", "keep-alive", "KeepAlive" },
        { 11, "Late changed disabled", "publish", "keep-alive", "KeepAlive" },
        { 12, "Late", "timer", "", "Late" },
        { 12, "Late changed", "timer", "", "Late" },
        { 13, "KeepAlive", "publish", "", "KeepAlive" },
        { 14, "KeepAlive held changed", "timer", "values", "Normal" },
        { 15, "KeepAlive held last", "timer", "keep-alive", "KeepAlive" },
        { 16, "KeepAlive held", "timer", "", "KeepAlive" },
        { 16, "KeepAlive", "timer", "", "KeepAlive" },
        { 16, "KeepAlive disabled changed", "timer", "", "KeepAlive" },
        { 17, "KeepAlive last", "timer", "", "Late" },
        { 17, "KeepAlive changed", "timer", "", "Late" },
        { 18, "Normal", "modify", "", "Normal" },
        { 18, "Late", "modify", "", "Late" },
        { 18, "KeepAlive", "modify", "", "KeepAlive" },
        { 19, "Normal", "disable", "", "Normal" },
        { 19, "Normal more", "disable", "", "Normal" },
        { 19, "Late", "disable", "", "Late" },
        { 19, "KeepAlive", "disable", "", "KeepAlive" },
        { 20, "Normal", "republish", "", "Normal" },
        { 20, "Late changed kept", "republish", "", "Late" },
        { 20, "KeepAlive kept", "republish", "", "KeepAlive" },
        { 21, "Normal", "republish unknown", "", "Normal" },
        { 21, "Late", "republish unknown", "", "Late" },
        { 21, "KeepAlive", "republish unknown", "", "KeepAlive" },
        { 22, "Normal", "transfer to itself", "", "Normal" },
        { 22, "Late", "transfer to itself", "", "Late" },
        { 22, "KeepAlive", "transfer to itself", "", "KeepAlive" },
        { 23, "Normal held", "transfer", "transferred", "Normal" },
        { 23, "Late", "transfer", "", "Late" },
        { 23, "KeepAlive held", "transfer", "transferred", "KeepAlive" },
        { 24, "Normal held", "transfer to a stranger", "", "Normal" },
        { 24, "Late", "transfer to a stranger", "", "Late" },
        { 24, "KeepAlive", "transfer to a stranger", "", "KeepAlive" },
        { 25, "Normal held", "delete", "no subscription", "Closed" },
        { 25, "Late", "delete", "", "Closed" },
        { 25, "KeepAlive held", "delete", "no subscription", "Closed" },
        { 26, "Normal held", "delete by a stranger", "", "Normal" },
        { 26, "Late", "delete by a stranger", "", "Late" },
        { 26, "KeepAlive", "delete by a stranger", "", "KeepAlive" },
        // Whatever the counts, a subscription is LATE before its lifetime ends: it is three keep-alives at least.
        { 27, "Late dying", "timer", "", "Closed" },
    };

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Theory]
    [MemberData(nameof(Rows))]
    public void Row_Before_Event_AnswerAndAfter(int row, string before, string what, string answer, string after)
    {
        Prepare(before.Split(' '));
        Happen(what);
        var answers = string.Join(",", _client.All().Select(Describe).Distinct());
        Assert.True(row is >= 4 and <= 27);
        Assert.Equal(answer, answers);
        Assert.Equal(Enum.Parse<SubscriptionState>(after), _subscription.State);
        Assert.Equal(after == nameof(Closed), _plant.Engine.Subscriptions.Find(_subscription.Id) is null);
    }

    [Fact]
    public void Row1And3_Create_IsNormalAndHasSentNothing()
    {
        Prepare(["New"]);
        Assert.Equal(Normal, _subscription.State);
        Assert.False(_subscription.MessageSent);
    }

    [Fact]
    public void Row2_CreateFails_NothingIsThere()
    {
        _client.Subscribe();
        _client.Subscribe();
        var refused = _client.Session.CreateSubscription(new CreateSubscriptionRequest());
        Assert.Equal(StatusCodes.BadTooManySubscriptions, refused.ResponseHeader.ServiceResult.Code);
        Assert.Equal(2, _plant.Engine.Subscriptions.Count);
        Assert.Equal(2, _plant.Engine.Shards[0].Scheduled);
    }

    [Theory]
    [InlineData("modify")]
    [InlineData("disable")]
    [InlineData("republish unknown")]
    [InlineData("transfer to itself")]
    [InlineData("transfer")]
    [InlineData("publish")]
    public void Event_NamesTheSubscription_LifetimeStartsAnew(string what)
    {
        Prepare(["Late", "dying"]);
        Happen(what);
        Tick();
        Assert.NotEqual(Closed, _subscription.State);
        Assert.True(_subscription.LifetimeCounter > 1);
    }

    private static string Describe(Answer answer)
    {
        if (answer.Response is null)
            return answer.Fault.Code == StatusCodes.BadNoSubscription ? "no subscription" : answer.Fault.ToString();
        if (answer.IsKeepAlive)
            return "keep-alive";
        return answer.StatusChange?.Code switch
        {
            StatusCodes.GoodSubscriptionTransferred => "transferred",
            StatusCodes.BadTimeout => "timeout",
            null => "values",
            _ => "?",
        };
    }

    private void Tick() => _plant.Advance(100);

    /// <summary>Brings a subscription into the state, and the conditions behind it.</summary>
    private void Prepare(string[] words)
    {
        var (state, conditions) = (words[0], words[1..]);
        var id = _client.Subscribe(
            keepAlive: 3, lifetime: 100, maxNotifications: conditions.Contains("more") ? 1u : 0u);
        _subscription = Assert.Single(_client.Session.Subscriptions);
        if (state != "New")
            Reach(id, state, conditions);
        if (conditions.Contains("changed"))
            Change(id);
        if (conditions.Contains("disabled"))
            _client.SetPublishing(id, false);
        if (conditions.Contains("last"))
            Silence();
        if (conditions.Contains("held"))
            Hold();
        _client.All();
        while (conditions.Contains("dying") && _subscription.LifetimeCounter > 1)
            Tick();
        Assert.Equal(state == "New" ? Normal : Enum.Parse<SubscriptionState>(state), _subscription.State);
    }

    private void Reach(uint id, string state, string[] conditions)
    {
        if (state == "Normal" || conditions.Contains("kept"))
        {
            _client.Monitor(id, 1);
            _client.Monitor(id, 2);
            Hold();
            Tick();
        }
        else if (state == "KeepAlive")
        {
            Hold();
            Tick();
        }

        if (state == "Late")
        {
            // The first cycle without a request, or one with a change.
            if (conditions.Contains("kept"))
                Change(id);
            Tick();
        }

        if (state == "KeepAlive")
            Tick();
    }

    /// <summary>One Publish request, which is held.</summary>
    private void Hold()
    {
        _client.Publish();
    }

    private void Change(uint subscription)
    {
        if (_subscription.Items.Count == 0)
            _client.Monitor(subscription, 1);
        _plant.Set(1, _plant.Time.Elapsed.TotalMilliseconds + 1);
        _plant.Advance(0);
    }

    /// <summary>Until the next timer is the one of the keep-alive.</summary>
    private void Silence()
    {
        while (_subscription.SilentCycles < 2)
            Tick();
    }

    private void Happen(string what)
    {
        var id = _subscription.Id;
        switch (what)
        {
            case "publish":
                Hold();
                break;
            case "timer":
                Tick();
                break;
            case "modify":
                _client.Session.ModifySubscription(new ModifySubscriptionRequest
                {
                    SubscriptionId = id,
                    RequestedPublishingInterval = 100,
                    RequestedLifetimeCount = 100,
                    RequestedMaxKeepAliveCount = 3,
                });
                break;
            case "disable":
                Assert.Equal(StatusCode.Good, _client.SetPublishing(id, false));
                break;
            case "republish":
                Assert.Equal(StatusCodes.Good, Republish(id, 1));
                break;
            case "republish unknown":
                Assert.Equal(StatusCodes.BadMessageNotAvailable, Republish(id, 77));
                break;
            case "delete":
                Assert.Equal(StatusCode.Good, _client.Delete(id));
                break;
            case "delete by a stranger":
                Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, _stranger.Delete(id).Code);
                break;
            default:
                Transfer(what, id);
                break;
        }
    }

    private uint Republish(uint id, uint sequence) => _client.Republish(id, sequence)
        .ResponseHeader.ServiceResult.Code;

    private void Transfer(string what, uint id)
    {
        var (to, expected) = what switch
        {
            "transfer" => (_friend, StatusCodes.Good),
            "transfer to itself" => (_client, StatusCodes.BadNothingToDo),
            _ => (_stranger, StatusCodes.BadUserAccessDenied),
        };
        Assert.Equal(expected, to.Transfer(id).StatusCode.Code);
    }
}
