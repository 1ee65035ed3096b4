using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Load;
using Gateway.Sources.OpcUa.Sessions;
using Gateway.Sources.OpcUa.Tests.Items;

namespace Gateway.Sources.OpcUa.Tests.Load;

/// <summary>What clients get when the budget of an upstream is used up, and what the operator is told.</summary>
public sealed class BudgetTests : ItemsTest
{
    private const int Refused = 5064;

    private UpstreamLoad? _load;

    [Fact]
    public async Task Items_AboveTheBudget_TheRestSayWhyAndOneComesWhenOneGoes()
    {
        Use(new UpstreamBudget(4, 10, 1_000, 1_000));
        Connect();
        foreach (var tag in _tags[..6])
            Items.OnInterest(tag, wanted: true);
        await FollowAsync();

        Assert.Equal(4, Items.ActiveCount);
        Assert.Equal(2, _tags[..6].Count(IsCrowded));
        Assert.Equal(2, _load!.RefusedFor(LoadBudget.Items));
        Assert.Contains("MaxItems", await _gateway.Log.NextAsync(Refused), StringComparison.Ordinal);
        Assert.Contains("4 items", _load.Report.LastRefusal, StringComparison.Ordinal);

        Items.OnInterest(_tags[..6].First(tag => !IsCrowded(tag)), wanted: false);
        await FollowAsync();
        await FollowAsync();

        Assert.Equal(4, Items.ActiveCount);
        Assert.Equal(5, _gateway.Server.Items.Count);
    }

    [Fact]
    public async Task Read_MoreThanASecondBrings_PartByPart()
    {
        Use(new UpstreamBudget(100, 10, 1_000, 2), patienceMs: 1_500);
        _link = _link with { Sizes = new OperationSizes { NodesPerRead = 2 } };
        Connect();
        for (var i = 0; i < _tags.Length; i++)
            _gateway.Server.Attributes[(new NodeId("T" + i, 2), AttributeId.Value)] = new DataValue(new Variant(i));

        var results = new DataValue[_tags.Length];
        var reading = _source.ReadAsync(_tags, 0, results, "a", default).AsTask();
        for (var i = 0; !reading.IsCompleted && i < 100; i++)
        {
            // Each part is due a second after the one before; the loop of the read goes on by itself in between.
            _gateway.Time.Advance(1_000);
            await Task.WhenAny(reading, _gateway.Server.Asked.WaitAsync());
        }

        await reading;
        Assert.All(results, static (result, i) => Assert.Equal(i, result.Value.AsInt32()));
    }

    [Fact]
    public async Task Read_NoTurnForTheSecondPart_TheFirstHasItsValues()
    {
        Use(new UpstreamBudget(100, 10, 1_000, 2), patienceMs: 500);
        _link = _link with { Sizes = new OperationSizes { NodesPerRead = 2 } };
        Connect();
        for (var i = 0; i < _tags.Length; i++)
            _gateway.Server.Attributes[(new NodeId("T" + i, 2), AttributeId.Value)] = new DataValue(new Variant(i));

        var results = new DataValue[4];
        var reading = _source.ReadAsync(_tags.AsMemory(0, 4), 0, results, "a", default).AsTask();
        _gateway.Time.Advance(501);
        await reading;

        Assert.Equal(
            [0u, 0u, StatusCodes.BadResourceUnavailable, StatusCodes.BadResourceUnavailable],
            results.Select(static one => one.Status.Code));
    }

    [Fact]
    public async Task Read_NoTurnInTime_RefusedAndTold()
    {
        Use(new UpstreamBudget(100, 1, 1_000, 1_000));
        Connect();
        Block();

        var results = new DataValue[2];
        var reading = _source.ReadAsync(_tags.AsMemory(0, 2), 0, results, "a", default).AsTask();
        _gateway.Time.Advance(5_001);
        await reading;

        Assert.All(results, static one => Assert.Equal(StatusCodes.BadResourceUnavailable, one.Status));
        Assert.Equal(1, _load!.RefusedFor(LoadBudget.Concurrency));
        Assert.Contains("5 s", await _gateway.Log.NextAsync(Refused), StringComparison.Ordinal);
        Assert.Empty(Sent<ReadRequest>());
    }

    [Fact]
    public async Task Write_NoTurnInTime_NothingWrittenAndSaidSo()
    {
        Use(new UpstreamBudget(100, 1, 1_000, 1_000));
        Connect();
        Block();

        var results = new StatusCode[1];
        var writing = _source.WriteAsync(
            new[] { new SourceWrite(_tags[0], new DataValue(new Variant(1.0))) }, results, "a", default).AsTask();
        var calling = _source.CallAsync(_tags[0], _tags[1], [], "a", default).AsTask();
        _gateway.Time.Advance(5_001);
        await writing;

        Assert.Equal(StatusCodes.BadResourceUnavailable, results[0].Code);
        Assert.Equal(StatusCodes.BadResourceUnavailable, (await calling).StatusCode.Code);
        Assert.Empty(Sent<WriteRequest>());
        Assert.Empty(Sent<CallRequest>());
    }

    /// <summary>One line a minute; the counter has all.</summary>
    [Fact]
    public async Task Refused_ManyTimes_LoggedOnceAMinuteWithTheCount()
    {
        Use(new UpstreamBudget(100, 1, 1_000, 1_000));
        for (var i = 0; i < 100; i++)
            _load!.Refused(LoadBudget.Reads, "too many");
        _gateway.Time.Advance(TimeSpan.FromMinutes(2));
        _load!.Refused(LoadBudget.Reads, "too many");

        Assert.Contains("1 times", await _gateway.Log.NextAsync(Refused), StringComparison.Ordinal);
        Assert.Contains("100 times", await _gateway.Log.NextAsync(Refused), StringComparison.Ordinal);
        Assert.Equal(101, _load.RefusedFor(LoadBudget.Reads));
    }

    /// <summary>A part that is written is not written again, and its results stay.</summary>
    [Fact]
    public async Task Write_SecondPartFails_TheFirstHasItsResults()
    {
        Connect();
        _link = _link with { Sizes = new OperationSizes { NodesPerWrite = 2 } };
        _source.Link = _link;
        for (var i = 0; i < 4; i++)
            _gateway.Server.Attributes[(new NodeId("T" + i, 2), AttributeId.Value)] = new DataValue(new Variant(i));
        _gateway.Server.OnRequest = request =>
            request is WriteRequest && Sent<WriteRequest>().Count() == 2 ? StatusCodes.BadTimeout : default;

        var results = new StatusCode[4];
        await _source.WriteAsync(
            _tags[..4].Select(static tag => new SourceWrite(tag, new DataValue(new Variant(9)))).ToArray(),
            results, "a", default);

        Assert.Equal(
            [0u, 0u, StatusCodes.BadTimeout, StatusCodes.BadTimeout], results.Select(static one => one.Code));
    }

    private bool IsCrowded(NodeHandle tag) =>
        _gateway.Values.Read(tag).Status == StatusCodes.BadTooManyMonitoredItems;

    /// <summary>The only place is taken, by a request without an answer.</summary>
    private void Block()
    {
        _gateway.Server.Hold = new TaskCompletionSource().Task;
        var asked = _load!.Budgeted(_gateway.Server.Session!).InvokeAsync<BrowseRequest, BrowseResponse>(
            new BrowseRequest(), default).AsTask();
        Assert.False(asked.IsCompleted);
        _gateway.Server.Hold = null;
        _gateway.Server.Requests.Clear();
    }

    private void Use(UpstreamBudget budget, double patienceMs = 5_000)
    {
        var limits = _gateway.Limits with { UpstreamBudgetPatience = TimeSpan.FromMilliseconds(patienceMs) };
        _load = new UpstreamLoad(
            new UpstreamOptions
            {
                Name = "A",
                MaxItems = budget.MaxItems,
                MaxConcurrentRequests = budget.MaxConcurrentRequests,
                MaxRequestsPerSecond = budget.MaxRequestsPerSecond,
                MaxReadsPerSecond = budget.MaxReadsPerSecond,
            },
            limits, _gateway.Time, _gateway.Log);
        _source.Follower.Load = _load;
        Items.MaxReadsPerSecond = 0;
        _link = _link with { Session = _load.Budgeted(_link.Session) };
    }
}
