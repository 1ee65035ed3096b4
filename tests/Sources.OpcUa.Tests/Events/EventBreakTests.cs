using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests.Events;

/// <summary>A connection that ends while something is asked of an upstream about its events, and goes on.</summary>
public sealed class EventBreakTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Resumed = 5062, Subscribed = 5080;

    private readonly UpstreamFixture _gateway = new(events: true);

    private FakeUpstream Server => _gateway.Server;

    private int Refreshes
    {
        get
        {
            lock (Server.Requests)
                return Server.Requests.OfType<CallRequest>().Count();
        }
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _gateway.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    /// <summary>The call may learn of it before the loop does.</summary>
    [Fact]
    public async Task Break_WhileARefreshIsAskedFor_ItIsAskedForAgainUponTheNextConnection()
    {
        Server.OnRequest = static request =>
            request is CallRequest ? StatusCodes.BadConnectionClosed : StatusCode.Good;
        var watch = new EventWatch(_gateway, "EventId");
        _gateway.Start();
        await _gateway.Log.NextAsync(Subscribed);
        // Behind the second one the loop has looked at how the call went.
        for (byte id = 1; id <= 2; id++)
        {
            watch.Send(new Dictionary<string, Variant>
            {
                ["EventId"] = Variant.FromByteString([id]),
                ["EventType"] = new Variant(new NodeId(2041)),
                ["Time"] = new Variant(FakeUpstream.At(7)),
                ["ReceiveTime"] = new Variant(FakeUpstream.At(7)),
                ["Severity"] = new Variant((ushort)500),
            });
            Assert.Equal([id], (await watch.NextAsync())["EventId"].AsByteString()!);
        }

        Assert.Equal(1, Refreshes);
        (Server.OnRequest, Server.Remembers, Server.Session!.HasSubscription) = (null, ResumeKind.SameSession, true);

        _gateway.Time.Advance(TimeSpan.FromSeconds(6));
        Server.Session.Close();

        await _gateway.Log.NextAsync(Resumed);
        await Condition.UntilAsync(() => Refreshes == 2);
    }

    /// <summary>It comes along with the session.</summary>
    [Fact]
    public async Task Break_BeforeTheSubscriptionHasItsItem_ItIsDeletedAndMadeAnew()
    {
        Server.Remembers = ResumeKind.SameSession;
        Server.OnRequest = request =>
        {
            if (request is not CreateMonitoredItemsRequest)
                return StatusCode.Good;
            Server.OnRequest = null;
            Server.Session!.Close();
            return StatusCodes.BadConnectionClosed;
        };
        _gateway.Start();
        var subscribed = _gateway.Log.NextAsync(Subscribed);

        await Condition.UntilAsync(() =>
        {
            _gateway.Time.Advance(TimeSpan.FromMilliseconds(100));
            return subscribed.IsCompleted;
        });

        await subscribed;
        Assert.Equal((1, 1), (Server.Unsubscribed, _gateway.Report.Counts.Resumed));
    }
}
