using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests;

/// <summary>A server whose attributes, limits and values are not what they are said to be: it is served as far as that
/// goes, and nobody else notices.</summary>
public sealed class UpstreamLieTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Synchronized = 5002;

    private static readonly NodeId Objects = new(85), Speed = new("Speed", 2), Honest = new("Honest", 2);

    private readonly UpstreamFixture _gateway = new();

    public static TheoryData<int, string> Lies
    {
        get
        {
            var data = new TheoryData<int, string>();
            AttributeId[] attributes =
            [
                AttributeId.DataType, AttributeId.ValueRank, AttributeId.ArrayDimensions, AttributeId.UserAccessLevel,
                AttributeId.AccessLevelEx, AttributeId.MinimumSamplingInterval, AttributeId.Description,
            ];
            foreach (var attribute in attributes)
            {
                foreach (var kind in new[] { "text", "array", "null", "nan", "negative" })
                    data.Add((int)attribute, kind);
            }

            return data;
        }
    }

    public Task InitializeAsync()
    {
        _gateway.Server.AddVariable(Objects, Speed, new Variant(1.0), new NodeId(11));
        _gateway.Server.AddVariable(Objects, Honest, new Variant(2.0), new NodeId(11));
        return Task.CompletedTask;
    }

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    public ValueTask DisposeAsync() => _gateway.DisposeAsync();

    [Theory]
    [MemberData(nameof(Lies))]
    public async Task Attribute_OfAnotherType_TheOtherNodeIsServedAsItIs(int attribute, string kind)
    {
        _gateway.Server.Attributes[(Speed, (AttributeId)attribute)] = new DataValue(Lie(kind));

        _gateway.Start();
        await _gateway.Log.NextAsync(Synchronized);

        var honest = await _gateway.ReadAsync(_gateway.Find("Honest"));
        Assert.Equal((StatusCode.Good, 2.0), (honest.Status, honest.Value.AsDouble()));
        // Its state follows the log.
        await Condition.UntilAsync(() => _gateway.Report.State == SourceState.Online);
        Assert.Equal(SourceState.Online, _gateway.Report.State);
    }

    [Theory]
    [InlineData("text")]
    [InlineData("array")]
    [InlineData("nan")]
    [InlineData("negative")]
    public async Task OperationLimits_NoNumbers_Ours(string kind)
    {
        foreach (var id in new[]
        {
            StandardIds.Variables.Server_ServerCapabilities_OperationLimits_MaxNodesPerRead,
            StandardIds.Variables.Server_ServerCapabilities_OperationLimits_MaxNodesPerBrowse,
            StandardIds.Variables.Server_ServerCapabilities_OperationLimits_MaxMonitoredItemsPerCall,
        })
            _gateway.Server.Attributes[(new NodeId(id), AttributeId.Value)] = new DataValue(Lie(kind));

        _gateway.Start();
        await _gateway.Log.NextAsync(Synchronized);

        Assert.False(_gateway.Find("Speed").IsNone);
    }

    /// <summary>A variable that says Double and has text: clients get the text, as at the server.</summary>
    [Fact]
    public async Task Value_OfAnotherType_PassedOnAsItIs()
    {
        _gateway.Server.Attributes[(Speed, AttributeId.Value)] = new DataValue(new Variant("fast"));

        _gateway.Start();
        await _gateway.Log.NextAsync(Synchronized);
        var read = await _gateway.ReadAsync(_gateway.Find("Speed"));

        Assert.Equal((StatusCode.Good, "fast"), (read.Status, read.Value.AsString()));
    }

    private static Variant Lie(string kind) => kind switch
    {
        "text" => new Variant("lie"),
        "array" => Variant.FromArray(BuiltInType.Double, new[] { 1.0, double.NaN }),
        "nan" => new Variant(double.NaN),
        "negative" => new Variant(-1),
        _ => default,
    };
}
