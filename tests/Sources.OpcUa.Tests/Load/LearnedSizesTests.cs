using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Load;
using Gateway.Sources.OpcUa.Tests.Support;
using Gateway.Testing;

namespace Gateway.Sources.OpcUa.Tests.Load;

/// <summary>A server whose OperationLimits say more than it takes, or nothing: it is served in smaller requests.
/// </summary>
public sealed class LearnedSizesTests : IAsyncLifetime, IAsyncDisposable
{
    private readonly FakeUpstream _server = new();
    private readonly SignallingLog _log = new();
    private readonly UpstreamLoad _load;
    private BudgetedSession _session = null!;

    public LearnedSizesTests()
    {
        _load = new UpstreamLoad(
            new UpstreamOptions { Name = "A" }, UpstreamLimits.Default, new ManualTimeProvider(), _log);
        for (var i = 0; i < 100; i++)
            _server.Attributes[(new NodeId((uint)i, 2), AttributeId.Value)] = new DataValue(new Variant(i));
    }

    public async Task InitializeAsync() => _session = _load.Budgeted(await _server.ConnectAsync(default));

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    public ValueTask DisposeAsync()
    {
        _load.Dispose();
        _log.Dispose();
        return default;
    }

    [Theory]
    [InlineData(StatusCodes.BadTooManyOperations)]
    [InlineData(StatusCodes.BadRequestTooLarge)]
    [InlineData(StatusCodes.BadResponseTooLarge)]
    [InlineData(StatusCodes.BadEncodingLimitsExceeded)]
    public async Task Read_MoreThanItTakes_InPartsAndLaterOnesAtOnce(uint status)
    {
        Take(30, status);

        Assert.Equal(Enumerable.Range(0, 100), await ReadAsync(100));
        Assert.Equal([100, 50, 25, 25, 25, 25], Sizes());
        _server.Requests.Clear();
        Assert.Equal(Enumerable.Range(0, 60), await ReadAsync(60));

        Assert.Equal([25, 25, 10], Sizes());
        // It is no sign of load.
        Assert.Equal(1, _load.State.Pace);
    }

    /// <summary>Large values of one client say nothing about those of the others (R46).</summary>
    [Theory]
    [InlineData(StatusCodes.BadTooManyOperations, new[] { 30, 30 })]
    [InlineData(StatusCodes.BadResponseTooLarge, new[] { 60, 30, 30 })]
    [InlineData(StatusCodes.BadRequestTooLarge, new[] { 60, 30, 30 })]
    [InlineData(StatusCodes.BadEncodingLimitsExceeded, new[] { 60, 30, 30 })]
    public async Task Read_OfAClientRefused_OthersAreCutForTooManyOperationsAlone(uint status, int[] next)
    {
        Take(30, status);
        await ReadAsync(60, _session.For("one"));
        _server.Requests.Clear();

        await ReadAsync(60, _session.For("another"));

        Assert.Equal(next, Sizes());
    }

    /// <summary>Each part alone may be as large as a message (R42).</summary>
    [Fact]
    public async Task Read_PartsThatAreTooLargeTogether_TheRestIsNotAsked()
    {
        var half = new string('x', (int)(UpstreamLimits.Default.MaxUpstreamAnswerBytes / sizeof(char) / 3));
        for (var i = 0; i < 8; i++)
            _server.Attributes[(new NodeId((uint)i, 2), AttributeId.Value)] = new DataValue(new Variant(half));
        Take(1, StatusCodes.BadResponseTooLarge);
        var reads = Enumerable.Range(0, 8).Select(Value);

        var response = await _session.InvokeAsync<ReadRequest, ReadResponse>(
            new ReadRequest { NodesToRead = [.. reads] }, default);

        const uint TooLarge = StatusCodes.BadResponseTooLarge;
        Assert.Equal(
            [0, 0, TooLarge, TooLarge, TooLarge, TooLarge, TooLarge, TooLarge],
            response.Results!.Select(static one => one.Status.Code));
        Assert.Equal([8, 4, 2, 1, 1, 1], Sizes());
    }

    [Fact]
    public async Task Read_NotEvenOne_Fails()
    {
        Take(0, StatusCodes.BadTooManyOperations);

        var failure = await Assert.ThrowsAsync<ServiceException>(() => ReadAsync(4));

        Assert.Equal(StatusCodes.BadTooManyOperations, failure.Status.Code);
        Assert.Equal([4, 2, 1], Sizes());
        Assert.True(_load.State.Pace < 1);
    }

    /// <summary>Results of one part are never taken for those of another.</summary>
    [Fact]
    public async Task Read_AnswersOfAnotherLength_Fails()
    {
        Take(2, StatusCodes.BadTooManyOperations);
        var parts = 0;
        _server.OnAnswer = answer => answer is ReadResponse read
            ? new ReadResponse { Results = [.. read.Results!, .. parts++ == 0 ? read.Results! : []] }
            : answer;

        var failure = await Assert.ThrowsAsync<ServiceException>(() => ReadAsync(4));

        Assert.Equal(StatusCodes.BadUnexpectedError, failure.Status.Code);
    }

    [Fact]
    public async Task Write_ALaterPartFails_TheFirstOnesHaveTheirResults()
    {
        Take(3, StatusCodes.BadTooManyOperations);
        var sent = 0;
        var limited = _server.OnRequest!;
        _server.OnRequest = request => limited(request) is { IsBad: true } status ? status
            : ++sent == 2 ? StatusCodes.BadTimeout : default;
        var writes = Enumerable.Range(0, 6).Select(static i => new WriteValue
        {
            NodeId = new NodeId((uint)i, 2),
            AttributeId = (uint)AttributeId.Value,
        });

        var response = await _session.InvokeAsync<WriteRequest, WriteResponse>(
            new WriteRequest { NodesToWrite = [.. writes] }, default);

        const uint Late = StatusCodes.BadTimeout;
        Assert.Equal([0, 0, 0, Late, Late, Late], response.Results!.Select(static one => one.Code));
    }

    [Fact]
    public async Task Items_MoreThanItTakes_EachMadeOnce()
    {
        Take(3, StatusCodes.BadTooManyOperations);
        var items = Enumerable.Range(0, 10).Select(static i => new MonitoredItemCreateRequest
        {
            RequestedParameters = new MonitoringParameters { ClientHandle = (uint)i },
        });

        var response = await _session.InvokeAsync<CreateMonitoredItemsRequest, CreateMonitoredItemsResponse>(
            new CreateMonitoredItemsRequest { SubscriptionId = 7, ItemsToCreate = [.. items] }, default);

        Assert.Equal(10, response.Results!.Length);
        Assert.Equal(
            Enumerable.Range(0, 10), _server.Items.Select(static one => (int)one.RequestedParameters.ClientHandle));
        Assert.All(
            _server.Requests.OfType<CreateMonitoredItemsRequest>(), static one => Assert.Equal(7u, one.SubscriptionId));
    }

    [Fact]
    public async Task Browse_MoreThanItTakes_AllBrowsed()
    {
        Take(4, StatusCodes.BadTooManyOperations);
        _server.Add(new NodeId(5u, 2), new NodeId("below", 2), NodeClass.Object);
        var nodes = Enumerable.Range(0, 10).Select(
            static i => new BrowseDescription { NodeId = new NodeId((uint)i, 2) });

        var response = await _session.InvokeAsync<BrowseRequest, BrowseResponse>(
            new BrowseRequest { NodesToBrowse = [.. nodes] }, default);

        Assert.Equal(10, response.Results!.Length);
        Assert.Single(response.Results[5].References!);
    }

    private void Take(int most, uint status) =>
        _server.OnRequest = request => RequestParts.Operations(request) > most ? status : default;

    private List<int> Sizes() => [.. _server.Requests.Select(RequestParts.Operations)];

    private async Task<List<int>> ReadAsync(int count, BudgetedSession? session = null)
    {
        var response = await (session ?? _session).InvokeAsync<ReadRequest, ReadResponse>(
            new ReadRequest { NodesToRead = [.. Enumerable.Range(0, count).Select(Value)] }, default);
        return [.. response.Results!.Select(static one => one.Value.AsInt32())];
    }

    private static ReadValueId Value(int i) => new()
    {
        NodeId = new NodeId((uint)i, 2),
        AttributeId = (uint)AttributeId.Value,
    };
}
