using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests;

/// <summary>What a server says of its means holds from the first request on, and nothing is asked for in vain. Source:
/// Part 5 §6.3.2, §6.3.11.</summary>
public sealed class UpstreamMeansTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Synchronized = 5002;
    private const int Nodes = 8;

    private static readonly NodeId Objects = new(85), Double = new(11);

    private readonly UpstreamFixture _gateway = new();

    private FakeUpstream Server => _gateway.Server;

    private NodeHandle[] Tags => [.. Enumerable.Range(0, Nodes).Select(i => _gateway.Find("T" + i))];

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _gateway.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public async Task OperationLimits_OfTwo_NoRequestHasMore()
    {
        Say(11705, 2);
        Say(11707, 2);
        Say(11710, 2);
        Say(11714, 2);
        Server.OnRequest = static request =>
            OperationsOf(request) > 2 ? StatusCodes.BadTooManyOperations : StatusCode.Good;
        await StartAsync();
        await WatchAsync();

        var read = new DataValue[Nodes];
        await _gateway.Source.ReadAsync(Tags, 0, read, default);
        var written = new StatusCode[Nodes];
        await _gateway.Source.WriteAsync(
            Array.ConvertAll(Tags, static tag => new SourceWrite(tag, new DataValue(new Variant(7.0)), null)), written,
            default);
        foreach (var tag in Tags)
            _gateway.OnInterest(tag, wanted: false);
        await Condition.UntilAsync(() =>
        {
            _gateway.Time.Advance(TimeSpan.FromSeconds(1));
            return _gateway.Source.Items.ActiveCount == 0;
        });

        Assert.All(read, static one => Assert.True(one.Status.IsGood));
        Assert.All(written, static one => Assert.True(one.IsGood));
        lock (Server.Requests)
        {
            Assert.All(Server.Requests, static one => Assert.InRange(OperationsOf(one), 0, 2));
            Assert.Contains(Server.Requests, static one => one is WriteRequest { NodesToWrite.Length: 2 });
            Assert.Contains(Server.Requests, static one => one is DeleteMonitoredItemsRequest);
        }
    }

    [Fact]
    public async Task ItemsPerSubscription_Said_NoneIsAskedForBeyond()
    {
        Say(24104, 3);
        await StartAsync();

        await WatchAsync();

        Assert.Equal([3, 3, 2], ItemsAskedFor());
    }

    [Theory]
    [InlineData(24097u, 5u)]
    [InlineData(24098u, 6u)]
    public async Task MonitoredItemsOrSubscriptions_Said_TheRestIsRead(uint limit, uint items)
    {
        Say(24104, 3);
        Say(limit, limit == 24098 ? 2u : items);
        await StartAsync();

        await WatchAsync((int)items);

        Assert.Equal((int)items, ItemsAskedFor().Sum());
        // The fake sends no notifications: those with a value were read.
        await Condition.UntilAsync(() => Tags.Count(tag => _gateway.Values.Read(tag).Status.IsGood) == Nodes - items);
    }

    private async Task StartAsync()
    {
        for (var i = 0; i < Nodes; i++)
            Server.AddVariable(Objects, new NodeId("T" + i, 2), new Variant(1.0), Double);
        _gateway.Start();
        await _gateway.Log.NextAsync(Synchronized);
        await Condition.UntilAsync(() => _gateway.Report.State == SourceState.Online);
    }

    private async Task WatchAsync(int items = Nodes)
    {
        foreach (var tag in Tags)
            _gateway.Source.OnInterest(tag, wanted: true);
        await Condition.UntilAsync(() => _gateway.Source.Items.ActiveCount == items);
    }

    private void Say(uint variable, uint limit) =>
        Server.Attributes[(new NodeId(variable), AttributeId.Value)] = new DataValue(new Variant(limit));

    private int[] ItemsAskedFor()
    {
        lock (Server.Requests)
            return [.. Server.Requests.OfType<CreateMonitoredItemsRequest>().GroupBy(static one => one.SubscriptionId)
                .Select(static group => group.Sum(static one => one.ItemsToCreate!.Length))];
    }

    private static int OperationsOf(IServiceRequest request) => request switch
    {
        ReadRequest read => read.NodesToRead!.Length,
        WriteRequest write => write.NodesToWrite!.Length,
        BrowseRequest browse => browse.NodesToBrowse!.Length,
        CreateMonitoredItemsRequest create => create.ItemsToCreate!.Length,
        DeleteMonitoredItemsRequest delete => delete.MonitoredItemIds!.Length,
        _ => 0,
    };
}
