using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Namespaces;
using Gateway.Sources.OpcUa.Sessions;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests;

/// <summary>What a direct Read or Call through the gateway may bring: each answer is bounded, and so is their sum.
/// </summary>
public sealed class UpstreamAnswerTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Size = 10_000;
    private readonly UpstreamFixture _gateway = new(new UpstreamLimits { MaxUpstreamAnswerBytes = (3 * Size) + 1_000 });
    private readonly UpstreamMetrics _metrics = new("A", isInsecure: false, TimeProvider.System);
    private readonly NodeHandle[] _tags = new NodeHandle[10];
    private UpstreamSource _source = null!;

    public async Task InitializeAsync()
    {
        var index = _gateway.Nodes.Namespaces.GetOrAdd("urn:data");
        _source = new UpstreamSource(
            _gateway.Nodes, _gateway.Values, _gateway.Time, _metrics, _gateway.Limits, 250,
            Polly.ResiliencePipeline.Empty);
        var batch = new NodeBatch();
        for (var i = 0; i < _tags.Length; i++)
        {
            batch.AddVariable(
                new NodeId("T" + i, index), new QualifiedName("T" + i, index), new VariableFacts(new NodeId(15)),
                _source, default);
            _gateway.Server.Attributes[(new NodeId("T" + i, 2), AttributeId.Value)] =
                new DataValue(Variant.FromByteString(new byte[Size]), default, FakeUpstream.At(1));
        }

        _gateway.Nodes.Apply(batch);
        for (var i = 0; i < _tags.Length; i++)
            _tags[i] = _gateway.Nodes.Find(new NodeId("T" + i, index));
        _source.Link = new UpstreamLink(
            await _gateway.Server.ConnectAsync(default), new NamespaceMap([0, 0, index]),
            new OperationSizes { NodesPerRead = 2 }, 250);
    }

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    public async ValueTask DisposeAsync()
    {
        _metrics.Dispose();
        await _gateway.DisposeAsync();
    }

    [Fact]
    public async Task Read_MoreThanTheAllowance_TheRestTooLargeAndNotAskedFor()
    {
        var results = await ReadAsync(_tags);

        Assert.All(results[..3], result => Assert.Equal(Size, result.Value.AsByteString()!.Length));
        Assert.All(results[3..], result => Assert.Equal(StatusCodes.BadResponseTooLarge, result.Status));
        Assert.All(results[3..], result => Assert.True(result.Value.IsNull));
        Assert.Equal(2, Reads().Count());
        Assert.Equal([(UpstreamBound.MaxUpstreamAnswerBytes, 1L)], _metrics.BoundsMet());

        // Each request has its own.
        Assert.True((await ReadAsync(_tags[3..6])).All(result => result.Status.IsGood));
    }

    [Fact]
    public async Task Read_OneNodeManyTimes_AskedForOnce()
    {
        var nodes = new NodeHandle[1_001];
        Array.Fill(nodes, _tags[0]);
        nodes[500] = _tags[1];

        var results = await ReadAsync(nodes);

        Assert.Equal(2, Reads().Single().NodesToRead!.Length);
        Assert.All(results, result => Assert.Equal(Size, result.Value.AsByteString()!.Length));
        Assert.Same(results[0].Value.AsByteString(), results[1000].Value.AsByteString());
        Assert.NotSame(results[0].Value.AsByteString(), results[500].Value.AsByteString());
    }

    [Theory]
    [InlineData(3, 0u)]
    [InlineData(4, StatusCodes.BadResponseTooLarge)]
    public async Task Call_OutputsAboveTheAllowance_TooLarge(int outputs, uint expected)
    {
        // The fake gives its inputs back.
        var inputs = new Variant[outputs];
        Array.Fill(inputs, Variant.FromByteString(new byte[Size]));

        var result = await _source.CallAsync(_tags[0], _tags[1], inputs, default);

        Assert.Equal(expected, result.StatusCode.Code);
        Assert.Equal(expected == 0, result.OutputArguments is not null);
    }

    /// <summary>Source: Part 4 §7.12.</summary>
    [Theory]
    [InlineData(0x3E0u)]
    [InlineData(0u)]
    public async Task Call_Diagnostics_AskedOfTheUpstreamAndPassedOnWithItsTexts(uint asked)
    {
        DiagnosticInfo refusal = new() { SymbolicId = 0 }, input = new() { LocalizedText = 1 };
        _gateway.Server.OnCallRequest = call => new CallResponse
        {
            ResponseHeader = new ResponseHeader { StringTable = ["E7", "stuck"] },
            Results =
            [
                new CallMethodResult
                {
                    StatusCode = StatusCodes.BadInvalidArgument,
                    InputArgumentResults = [StatusCodes.BadOutOfRange],
                    InputArgumentDiagnosticInfos = [input],
                },
            ],
            DiagnosticInfos = [refusal],
        };

        var answer = await _source.CallAsync(_tags[0], _tags[1], [new Variant(1)], "user", asked, default);

        Assert.Equal(asked, _gateway.Server.Requests.OfType<CallRequest>().Single().RequestHeader.ReturnDiagnostics);
        Assert.Equal(refusal, answer.Diagnostics);
        Assert.Equal(input, Assert.Single(answer.InputDiagnostics!));
        Assert.Equal<IEnumerable<string?>>(["E7", "stuck"], answer.StringTable!);
        Assert.Equal([StatusCodes.BadOutOfRange], answer.Result.InputArgumentResults!.Select(one => one.Code));
        Assert.Null(answer.Result.InputArgumentDiagnosticInfos);
    }

    /// <summary>A Call of a thousand methods keeps each answer until the last one is there (R42).</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1_000_000)]
    public async Task Call_ResultsOfMoreOrFewerInputsThanThereAre_LeftOut(int count)
    {
        _gateway.Server.OnCallRequest = call => new CallResponse
        {
            Results =
            [
                new CallMethodResult
                {
                    StatusCode = StatusCodes.BadInvalidArgument,
                    InputArgumentResults = new StatusCode[count],
                    InputArgumentDiagnosticInfos = new DiagnosticInfo?[count],
                },
            ],
        };

        var answer = await _source.CallAsync(_tags[0], _tags[1], [new Variant(1)], "user", 0x3E0, default);

        Assert.Equal(StatusCodes.BadInvalidArgument, answer.Result.StatusCode.Code);
        Assert.Null(answer.Result.InputArgumentResults);
        Assert.Null(answer.InputDiagnostics);
    }

    private async Task<DataValue[]> ReadAsync(NodeHandle[] nodes)
    {
        var results = new DataValue[nodes.Length];
        await _source.ReadAsync(nodes, 0, results, default);
        return results;
    }

    private IEnumerable<ReadRequest> Reads() => _gateway.Server.Requests.OfType<ReadRequest>();
}
