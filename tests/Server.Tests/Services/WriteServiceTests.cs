using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Services;

public sealed class WriteServiceTests : IDisposable
{
    private readonly ServerFixture _fixture = new();

    private static Variant OneByTwo => Variant.FromMatrix(BuiltInType.Int32, new Matrix(new[] { 1, 2 }, [1, 2]));

    private static Variant Mixed =>
        Variant.FromArray(BuiltInType.Variant, new[] { new Variant(1), new Variant("a") });

    public void Dispose() => _fixture.Dispose();

    public static TheoryData<string, Variant, uint> Types => new()
    {
        { "Int32", new Variant(5), StatusCodes.Good },
        { "Int32", new Variant(5u), StatusCodes.BadTypeMismatch },
        { "Int32", new Variant(5L), StatusCodes.BadTypeMismatch },
        { "Int32", new Variant("5"), StatusCodes.BadTypeMismatch },
        { "Int32", default, StatusCodes.BadTypeMismatch },
        { "Int32", Variant.FromArray(BuiltInType.Int32, new[] { 1 }), StatusCodes.BadTypeMismatch },
        { "Int32[]", Variant.FromArray(BuiltInType.Int32, new[] { 1 }), StatusCodes.Good },
        { "Int32[]", Array<int>(BuiltInType.Int32, 0), StatusCodes.Good },
        { "Int32[]", new Variant(1), StatusCodes.BadTypeMismatch },
        { "Int32[]", OneByTwo, StatusCodes.BadTypeMismatch },
        { "Matrix", OneByTwo, StatusCodes.Good },
        { "Matrix", Variant.FromArray(BuiltInType.Int32, new[] { 1 }), StatusCodes.BadTypeMismatch },
        { "String", new Variant((string?)null), StatusCodes.Good },
        { "Byte[]", Variant.FromByteString([9, 8]), StatusCodes.Good },
        { "Byte[]", Variant.FromArray(BuiltInType.Byte, new byte[] { 9 }), StatusCodes.Good },
        { "ByteString", Variant.FromByteString([9]), StatusCodes.Good },
        { "ByteString", Variant.FromArray(BuiltInType.Byte, new byte[] { 9 }), StatusCodes.Good },
        { "Number", new Variant((byte)1), StatusCodes.Good },
        { "Number", new Variant(1.5f), StatusCodes.Good },
        { "Number", new Variant("1"), StatusCodes.BadTypeMismatch },
        { "Number", new Variant(true), StatusCodes.BadTypeMismatch },
        { "BaseDataType", new Variant("x"), StatusCodes.Good },
        { "BaseDataType", default, StatusCodes.Good },
        { "BaseDataType", Mixed, StatusCodes.Good },
        { "Enumeration", new Variant(2), StatusCodes.Good },
        { "Enumeration", new Variant(2u), StatusCodes.BadTypeMismatch },
        { "Range", Variant.FromStructure(new Codec.Structures.Range { Low = 1 }), StatusCodes.Good },
        { "Range", Variant.FromStructure(new Argument()), StatusCodes.BadTypeMismatch },
        { "Range", new Variant(1.0), StatusCodes.BadTypeMismatch },
        { "Range", default, StatusCodes.BadTypeMismatch },
        { "Range", new Variant(default(ExtensionObject)), StatusCodes.Good },
        { "Int32", new Variant(default(ExtensionObject)), StatusCodes.BadTypeMismatch },
        { "String", new Variant(default(ExtensionObject)), StatusCodes.BadTypeMismatch },
        { "Number", new Variant(default(ExtensionObject)), StatusCodes.BadTypeMismatch },
        { "Enumeration", new Variant(default(ExtensionObject)), StatusCodes.BadTypeMismatch },
        { "BaseDataType", new Variant(default(ExtensionObject)), StatusCodes.Good },
        { "Int32[]", Array<ExtensionObject>(BuiltInType.ExtensionObject, 0), StatusCodes.BadTypeMismatch },
        { "Int32[]", Array<ExtensionObject>(BuiltInType.ExtensionObject, 2), StatusCodes.BadTypeMismatch },
        { "Int32[]", Array<Variant>(BuiltInType.Variant, 0), StatusCodes.BadTypeMismatch },
        { "Int32[]", Ones, StatusCodes.BadTypeMismatch },
        { "BaseDataType", Array<ExtensionObject>(BuiltInType.ExtensionObject, 0), StatusCodes.Good },
        { "BaseDataType", Array<Variant>(BuiltInType.Variant, 2), StatusCodes.Good },
        { "Number[]", Ones, StatusCodes.Good },
        { "Number[]", Mixed, StatusCodes.BadTypeMismatch },
        { "Number[]", Nested, StatusCodes.BadTypeMismatch },
        { "Number[]", Array<Variant>(BuiltInType.Variant, 0), StatusCodes.Good },
        { "Number[]", Array<Variant>(BuiltInType.Variant, 1), StatusCodes.BadTypeMismatch },
        { "Number[]", Array<ExtensionObject>(BuiltInType.ExtensionObject, 0), StatusCodes.BadTypeMismatch },
    };

    private static Variant Ones => Variant.FromArray(BuiltInType.Variant, new[] { new Variant(1) });

    private static Variant Nested => Variant.FromArray(
        BuiltInType.Variant, new[] { Variant.FromArray(BuiltInType.Int32, new[] { 1 }) });

    private static Variant Array<T>(BuiltInType type, int length) => Variant.FromArray(type, new T[length]);

    [Theory]
    [MemberData(nameof(Types))]
    public async Task Write_Value_TypeAndRankAreChecked(string node, Variant value, uint expected)
    {
        var client = await _fixture.ConnectAsync();
        Assert.Equal(new StatusCode(expected), await WriteAsync(client, new NodeId(node, 1), new DataValue(value)));
    }

    public static TheoryData<string, Variant, uint> Ranges => new()
    {
        { "Enumeration", new Variant(7), StatusCodes.Good },
        { "Enumeration", new Variant(8), StatusCodes.BadOutOfRange },
        { "Enumeration", new Variant(-1), StatusCodes.BadOutOfRange },
        { "AnyEnumeration", new Variant(99), StatusCodes.Good },
        { "Enumeration[]", Variant.FromArray(BuiltInType.Int32, new[] { 0, 7 }), StatusCodes.Good },
        { "Enumeration[]", Variant.FromArray(BuiltInType.Int32, new[] { 0, 99 }), StatusCodes.BadOutOfRange },
        { "Analog", new Variant(-0.1), StatusCodes.Good },
        { "Analog", new Variant(100.0), StatusCodes.Good },
        { "Analog", new Variant(100.1), StatusCodes.BadOutOfRange },
        { "Analog", new Variant(-1.0), StatusCodes.BadOutOfRange },
        { "Analog", new Variant(double.NaN), StatusCodes.BadOutOfRange },
        { "Analog", new Variant(101), StatusCodes.BadTypeMismatch },
        { "Analog[]", Variant.FromArray(BuiltInType.Double, new[] { 1.0, 100 }), StatusCodes.Good },
        { "Analog[]", Variant.FromArray(BuiltInType.Double, new[] { 1.0, 101 }), StatusCodes.BadOutOfRange },
        { "AnalogFloat", new Variant(-0.1f), StatusCodes.Good },
        { "AnalogFloat", new Variant(100.5f), StatusCodes.BadOutOfRange },
        { "AnalogInt", new Variant(0L), StatusCodes.Good },
        { "AnalogInt", new Variant(101L), StatusCodes.BadOutOfRange },
        { "NoRange", new Variant(1e9), StatusCodes.Good },
        { "State", new Variant(1u), StatusCodes.Good },
        { "State", new Variant((byte)1), StatusCodes.Good },
        { "State", new Variant(2u), StatusCodes.BadOutOfRange },
        { "State", new Variant(ulong.MaxValue), StatusCodes.BadOutOfRange },
        { "ValueState", new Variant(-3), StatusCodes.Good },
        { "ValueState", new Variant((byte)7), StatusCodes.Good },
        { "ValueState", new Variant(0), StatusCodes.BadOutOfRange },
        { "ValueState", new Variant(7.5), StatusCodes.BadOutOfRange },
    };

    [Theory]
    [MemberData(nameof(Ranges))]
    public async Task Write_ValueThatTheVariableCannotHave_BadOutOfRange(string node, Variant value, uint expected)
    {
        var client = await _fixture.ConnectAsync();
        Assert.Equal(new StatusCode(expected), await WriteAsync(client, new NodeId(node, 1), new DataValue(value)));
    }

    [Fact]
    public async Task Write_PartOfAnArray_ItsElementsAreChecked()
    {
        var client = await _fixture.ConnectAsync();
        var node = new NodeId("Analog[]", 1);
        var whole = new DataValue(Variant.FromArray(BuiltInType.Double, new[] { 1.0, 2, 3 }));
        Assert.True((await WriteAsync(client, node, whole)).IsGood);
        var part = new DataValue(Variant.FromArray(BuiltInType.Double, new[] { 101.0 }));
        Assert.Equal(StatusCodes.BadOutOfRange, await WriteAsync(client, node, part, range: "1"));
    }

    [Fact]
    public async Task Write_ByteStringToByteArray_IsStoredAsArray()
    {
        var client = await _fixture.ConnectAsync();
        await WriteAsync(client, TestPlant.Bytes, new DataValue(Variant.FromByteString([9, 8])));
        var stored = _fixture.Values.Read(_fixture.Find(TestPlant.Bytes)).Value;
        Assert.Equal(BuiltInType.Byte, stored.Type);
        Assert.Equal([9, 8], stored.AsArray<byte>()!);
    }

    [Fact]
    public async Task Write_Range_ChangesThePart()
    {
        var client = await _fixture.ConnectAsync();
        var part = new DataValue(Variant.FromArray(BuiltInType.Int32, new[] { 20, 30 }));
        Assert.True((await WriteAsync(client, TestPlant.Int32Array, part, range: "1:2")).IsGood);
        var stored = _fixture.Values.Read(_fixture.Find(TestPlant.Int32Array)).Value;
        Assert.Equal([1, 20, 30, 4, 5], stored.AsArray<int>()!);
        Assert.Equal(
            StatusCodes.BadIndexRangeInvalid, await WriteAsync(client, TestPlant.Int32Array, part, range: "2:1"));
        Assert.True((await WriteAsync(client, TestPlant.Int32Array, part, range: "7:8")).IsBad);
    }

    [Theory]
    [InlineData("ReadOnly", AttributeId.Value, StatusCodes.BadNotWritable)]
    [InlineData("Int32", AttributeId.DisplayName, StatusCodes.BadNotWritable)]
    [InlineData("Int32", AttributeId.EventNotifier, StatusCodes.BadAttributeIdInvalid)]
    [InlineData("Plant", AttributeId.Value, StatusCodes.BadAttributeIdInvalid)]
    [InlineData("none", AttributeId.Value, StatusCodes.BadNodeIdUnknown)]
    [InlineData("WriteOnly", AttributeId.Value, StatusCodes.Good)]
    public async Task Write_NodeAndAttribute_AreChecked(string node, AttributeId attribute, uint expected)
    {
        var client = await _fixture.ConnectAsync();
        var status = await WriteAsync(client, new NodeId(node, 1), new DataValue(new Variant(1)), attribute);
        Assert.Equal(new StatusCode(expected), status);
    }

    [Fact]
    public async Task Write_StatusAndTimes_OnlyWhereTheNodeTakesThem()
    {
        var client = await _fixture.ConnectAsync();
        var time = new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc);
        DataValue[] qualities =
        [
            new(new Variant(1), StatusCodes.Uncertain), new(new Variant(1), default, time),
            new(new Variant(1), default, default, time),
        ];
        foreach (var value in qualities)
        {
            Assert.Equal(StatusCodes.BadWriteNotSupported, await WriteAsync(client, TestPlant.Int32, value));
            Assert.True((await WriteAsync(client, TestPlant.WithTimes, value)).IsGood);
        }

        await WriteAsync(client, TestPlant.WithTimes, new DataValue(new Variant(3), StatusCodes.Uncertain, time));
        var stored = _fixture.Values.Read(_fixture.Find(TestPlant.WithTimes));
        Assert.Equal((StatusCode)StatusCodes.Uncertain, stored.Status);
        Assert.Equal(time, stored.SourceTimestamp);
    }

    [Theory]
    [InlineData("observer", StatusCodes.BadUserAccessDenied)]
    [InlineData("admin", StatusCodes.BadUserAccessDenied)]
    [InlineData("operator", StatusCodes.Good)]
    [InlineData("engineer", StatusCodes.Good)]
    public async Task Write_Role_IsChecked(string user, uint expected)
    {
        var client = await _fixture.ConnectAsync(user);
        Assert.Equal(
            new StatusCode(expected), await WriteAsync(client, TestPlant.Int32, new DataValue(new Variant(1))));
    }

    [Fact]
    public async Task Write_NothingOrTooMuch_IsAFault()
    {
        using var fixture = new ServerFixture(
            options => options with { Limits = options.Limits with { MaxNodesPerWrite = 1 } });
        var client = await fixture.ConnectAsync();
        Assert.Equal(StatusCodes.BadNothingToDo, await client.FaultAsync(new WriteRequest()));
        Assert.Equal(
            StatusCodes.BadTooManyOperations,
            await client.FaultAsync(new WriteRequest { NodesToWrite = new WriteValue[2] }));
    }

    [Fact]
    public async Task Write_SlowSource_GoesThereCheckedAndAnswersLater()
    {
        var client = await _fixture.ConnectAsync();
        _fixture.Source.Hold();
        var id = client.Send(new WriteRequest
        {
            NodesToWrite = [Value(TestPlant.Slow, new Variant(5)), Value(TestPlant.Slow, new Variant("no"))],
        });
        Assert.False(client.Link.IsAnswered(id));
        _fixture.Source.Go();
        var (_, response) = await client.AnswerAsync<WriteResponse>(id);
        Assert.Equal([StatusCodes.Good, StatusCodes.BadTypeMismatch], response!.Results!.Select(status => status.Code));
        Assert.Equal(5, _fixture.Source.Writes.Single().Value.Value.AsInt32());
    }

    [Fact]
    public async Task Write_SlowAndDirectSource_ResultsKeepTheirPlaces()
    {
        var client = await _fixture.ConnectAsync();
        _fixture.Source.Hold();
        var id = client.Send(new WriteRequest
        {
            NodesToWrite =
            [
                Value(TestPlant.Slow, new Variant("no")), Value(TestPlant.Int32, new Variant(77)),
                Value(TestPlant.Slow, new Variant(5)), Value(TestPlant.Int32, new Variant("no")),
            ],
        });
        _fixture.Source.Go();
        var (_, response) = await client.AnswerAsync<WriteResponse>(id);
        Assert.Equal(
            [StatusCodes.BadTypeMismatch, StatusCodes.Good, StatusCodes.Good, StatusCodes.BadTypeMismatch],
            response!.Results!.Select(status => status.Code));
        Assert.Equal(77, _fixture.Values.Read(_fixture.Find(TestPlant.Int32)).Value.AsInt32());
        Assert.Equal(5, _fixture.Source.Writes.Single().Value.Value.AsInt32());
    }

    [Fact]
    public async Task Write_DirectSourceAndTooManyWaiting_IsDone()
    {
        using var fixture = new ServerFixture(
            options => options with { Limits = options.Limits with { MaxPendingRequestsPerSession = 1 } });
        var client = await fixture.ConnectAsync();
        fixture.Source.Hold();
        var waiting = client.Send(new WriteRequest { NodesToWrite = [Value(TestPlant.Slow, new Variant(5))] });
        Assert.Equal(
            StatusCodes.BadServerTooBusy,
            await client.FaultAsync(new WriteRequest { NodesToWrite = [Value(TestPlant.Slow, new Variant(6))] }));
        Assert.True((await WriteAsync(client, TestPlant.Int32, new DataValue(new Variant(1)))).IsGood);
        fixture.Source.Go();
        await client.AnswerAsync<WriteResponse>(waiting);
        Assert.Equal(5, fixture.Source.Writes.Single().Value.Value.AsInt32());
    }

    [Fact]
    public async Task Write_UserChangesMeanwhile_WhatWasNotBegunNeedsBothUsers()
    {
        using var fixture = new ServerFixture();
        var client = await fixture.ConnectAsync("operator");
        fixture.Source.Hold();
        var waiting = client.Send(new WriteRequest
        {
            NodesToWrite = [Value(TestPlant.Slow, new Variant(5)), Value(TestPlant.Int32, new Variant(77))],
        });
        await client.ActivateAsync("observer");
        fixture.Source.Go();
        var (_, response) = await client.AnswerAsync<WriteResponse>(waiting);
        Assert.Equal([StatusCodes.Good, StatusCodes.BadUserAccessDenied], response!.Results!.Select(r => r.Code));
        Assert.NotEqual(77, fixture.Values.Read(fixture.Find(TestPlant.Int32)).Value.AsInt32());
    }

    private static WriteValue Value(NodeId node, Variant value) =>
        new() { NodeId = node, AttributeId = (uint)AttributeId.Value, Value = new DataValue(value) };

    private static async Task<StatusCode> WriteAsync(
        TestClient client, NodeId node, DataValue value, AttributeId attribute = AttributeId.Value,
        string? range = null)
    {
        var response = await client.CallAsync<WriteResponse>(new WriteRequest
        {
            NodesToWrite =
            [
                new WriteValue { NodeId = node, AttributeId = (uint)attribute, Value = value, IndexRange = range },
            ],
        });
        return response.Results!.Single();
    }
}
