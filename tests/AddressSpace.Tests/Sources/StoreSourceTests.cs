using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Testing;

namespace Gateway.AddressSpace.Tests.Sources;

public class StoreSourceTests
{
    private static readonly NodeHandle Node = new(7);
    private readonly ManualTimeProvider _time = new();
    private readonly ValueStore _store;
    private readonly StoreSource _source;

    public StoreSourceTests()
    {
        _store = new ValueStore(_time);
        _source = new StoreSource(_store, _time);
    }

    [Fact]
    public async Task Write_WithoutTime_IsStampedNow()
    {
        Assert.Equal(StatusCodes.Good, (await Write(new DataValue(new Variant(5)))).Code);
        var value = Read();
        Assert.Equal(new Variant(5), value.Value);
        Assert.Equal(_time.GetUtcNow().UtcDateTime, value.SourceTimestamp);
    }

    [Fact]
    public async Task Write_WithStatusAndTime_KeepsBoth()
    {
        var then = new DateTime(2020, 1, 2, 3, 4, 5, DateTimeKind.Utc);
        await Write(new DataValue(new Variant(5), StatusCodes.Uncertain, then));
        Assert.Equal((StatusCodes.Uncertain, then), (Read().Status.Code, Read().SourceTimestamp));
    }

    [Fact]
    public async Task Write_Range_ChangesOnlyThatPart()
    {
        await Write(new DataValue(Ints(1, 2, 3, 4)));
        Assert.Equal(StatusCodes.Good, (await Write(new DataValue(Ints(8, 9)), "1:2")).Code);
        Assert.Equal(Ints(1, 8, 9, 4), Read().Value);
    }

    [Theory]
    [InlineData("x", StatusCodes.BadIndexRangeInvalid)]
    [InlineData("3:1", StatusCodes.BadIndexRangeInvalid)]
    [InlineData("7:8", StatusCodes.BadIndexRangeNoData)]
    public async Task Write_ImpossibleRange_ChangesNothing(string range, uint expected)
    {
        await Write(new DataValue(Ints(1, 2, 3)));
        Assert.Equal(expected, (await Write(new DataValue(Ints(8, 9)), range)).Code);
        Assert.Equal(Ints(1, 2, 3), Read().Value);
    }

    [Fact]
    public async Task Read_NeverWritten_WaitsForInitialData()
    {
        var results = new DataValue[1];
        await ((INodeSource)_source).ReadAsync(new[] { Node }, 0, results, default);
        Assert.Equal(StatusCodes.BadWaitingForInitialData, results[0].Status.Code);
    }

    private static Variant Ints(params int[] values) => Variant.FromArray(BuiltInType.Int32, values);

    private DataValue Read()
    {
        Assert.True(_source.TryRead(Node, 0, out var value));
        return value;
    }

    private async Task<StatusCode> Write(DataValue value, string? range = null)
    {
        var results = new StatusCode[1];
        await ((INodeSource)_source).WriteAsync(new[] { new SourceWrite(Node, value, range) }, results, default);
        return results[0];
    }
}
