using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Services;

public sealed class ReadServiceTests : IDisposable
{
    private readonly ServerFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    public static TheoryData<string, AttributeId, BuiltInType> Attributes => new()
    {
        { "Int32", AttributeId.NodeId, BuiltInType.NodeId },
        { "Int32", AttributeId.NodeClass, BuiltInType.Int32 },
        { "Int32", AttributeId.BrowseName, BuiltInType.QualifiedName },
        { "Int32", AttributeId.DisplayName, BuiltInType.LocalizedText },
        { "Int32", AttributeId.WriteMask, BuiltInType.UInt32 },
        { "Int32", AttributeId.UserWriteMask, BuiltInType.UInt32 },
        { "Int32", AttributeId.Value, BuiltInType.Int32 },
        { "Int32", AttributeId.DataType, BuiltInType.NodeId },
        { "Int32", AttributeId.ValueRank, BuiltInType.Int32 },
        { "Int32[]", AttributeId.ArrayDimensions, BuiltInType.UInt32 },
        { "Int32", AttributeId.AccessLevel, BuiltInType.Byte },
        { "Int32", AttributeId.UserAccessLevel, BuiltInType.Byte },
        { "Int32", AttributeId.MinimumSamplingInterval, BuiltInType.Double },
        { "Int32", AttributeId.Historizing, BuiltInType.Boolean },
        { "Int32", AttributeId.UserRolePermissions, BuiltInType.ExtensionObject },
        { "Add", AttributeId.Executable, BuiltInType.Boolean },
        { "Add", AttributeId.UserExecutable, BuiltInType.Boolean },
        { "Plant", AttributeId.EventNotifier, BuiltInType.Byte },
    };

    [Theory]
    [MemberData(nameof(Attributes))]
    public async Task Read_Attribute_HasItsType(string node, AttributeId attribute, BuiltInType type)
    {
        var client = await _fixture.ConnectAsync();
        var value = await ReadAsync(client, new NodeId(node, 1), attribute);
        Assert.Equal(StatusCode.Good, value.Status);
        Assert.Equal(type, value.Value.Type);
    }

    [Theory]
    [InlineData("Plant", AttributeId.Value)]
    [InlineData("Plant", AttributeId.DataType)]
    [InlineData("Plant", AttributeId.UserAccessLevel)]
    [InlineData("Int32", AttributeId.EventNotifier)]
    [InlineData("Int32", AttributeId.IsAbstract)]
    [InlineData("Int32", AttributeId.UserExecutable)]
    [InlineData("Int32", (AttributeId)0)]
    [InlineData("Int32", (AttributeId)99)]
    public async Task Read_AttributeOfAnotherClass_BadAttributeIdInvalid(string node, AttributeId attribute)
    {
        var client = await _fixture.ConnectAsync();
        var value = await ReadAsync(client, new NodeId(node, 1), attribute);
        Assert.Equal(StatusCodes.BadAttributeIdInvalid, value.Status);
    }

    [Fact]
    public async Task Read_ManyKinds_EachHasItsOwnResult()
    {
        var client = await _fixture.ConnectAsync();
        var response = await client.CallAsync<ReadResponse>(new ReadRequest
        {
            TimestampsToReturn = TimestampsToReturn.Both,
            NodesToRead =
            [
                Value(TestPlant.Int32), Value(new NodeId("none", 1)), Value(TestPlant.WriteOnly), Value(NodeId.Null),
                Value(TestPlant.NeverSet), Value(TestPlant.Text),
            ],
        });
        Assert.Null(response.DiagnosticInfos);
        var results = response.Results!;
        Assert.Equal(7, results[0].Value.AsInt32());
        Assert.Equal(StatusCodes.BadNodeIdUnknown, results[1].Status);
        Assert.Equal(StatusCodes.BadNotReadable, results[2].Status);
        Assert.Equal(StatusCodes.BadNodeIdUnknown, results[3].Status);
        Assert.Equal(StatusCodes.BadWaitingForInitialData, results[4].Status);
        Assert.Equal("Hello", results[5].Value.AsString());
    }

    [Theory]
    [InlineData(TimestampsToReturn.Source, true, false)]
    [InlineData(TimestampsToReturn.Server, false, true)]
    [InlineData(TimestampsToReturn.Both, true, true)]
    [InlineData(TimestampsToReturn.Neither, false, false)]
    public async Task Read_Timestamps_AsAsked(TimestampsToReturn timestamps, bool source, bool server)
    {
        var client = await _fixture.ConnectAsync();
        foreach (var node in new[] { TestPlant.Int32, TestPlant.Slow })
        {
            _fixture.Source.Value = new DataValue(
                new Variant(1), default, new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc));
            var response = await client.CallAsync<ReadResponse>(
                new ReadRequest { TimestampsToReturn = timestamps, NodesToRead = [Value(node)] });
            Assert.Equal(source, response.Results![0].SourceTimestamp != default);
            Assert.Equal(server, response.Results![0].ServerTimestamp != default);
        }
    }

    /// <summary>The server knows that nothing has changed. Source: Part 4 §7.11.4, §5.11.2.2.</summary>
    [Theory]
    [InlineData(0, null)]
    [InlineData(60_000, null)]
    [InlineData(0, "1:2")]
    public async Task Read_ValueOfTheStore_ServerTimestampIsNow(double maxAge, string? range)
    {
        var client = await _fixture.ConnectAsync();
        var node = _fixture.Find(TestPlant.Int32Array);
        var changed = _fixture.Time.GetUtcNow().UtcDateTime;
        _fixture.Values.Set(
            node, new DataValue(Variant.FromArray(BuiltInType.Int32, new[] { 1, 2, 3 }), default, changed));
        _fixture.Time.Advance(20_000);
        var response = await client.CallAsync<ReadResponse>(new ReadRequest
        {
            MaxAge = maxAge,
            TimestampsToReturn = TimestampsToReturn.Both,
            NodesToRead =
            [
                new ReadValueId
                {
                    NodeId = TestPlant.Int32Array,
                    AttributeId = (uint)AttributeId.Value,
                    IndexRange = range,
                },
            ],
        });
        var value = response.Results!.Single();
        Assert.Equal(changed, value.SourceTimestamp);
        Assert.Equal(changed.AddSeconds(20), value.ServerTimestamp);
    }

    [Theory]
    [InlineData("1:2", "2,3")]
    [InlineData("0", "1")]
    [InlineData("4:9", "5")]
    public async Task Read_RangeOfArray_IsThePart(string range, string expected)
    {
        var client = await _fixture.ConnectAsync();
        var value = await ReadAsync(client, TestPlant.Int32Array, AttributeId.Value, range);
        Assert.Equal(expected, string.Join(',', value.Value.AsArray<int>()!));
    }

    [Fact]
    public async Task Read_RangeOfMatrixStringAndBytes_IsThePart()
    {
        var client = await _fixture.ConnectAsync();
        var matrix = await ReadAsync(client, TestPlant.Matrix, AttributeId.Value, "1,0:1");
        Assert.Equal([4, 5], matrix.Value.AsArray<int>()!);
        var text = await ReadAsync(client, TestPlant.Text, AttributeId.Value, "1:2");
        Assert.Equal("el", text.Value.AsString());
        var bytes = await ReadAsync(client, TestPlant.ByteString, AttributeId.Value, "2");
        Assert.Equal([3], bytes.Value.AsByteString()!);
    }

    [Theory]
    [InlineData("Int32[]", "x", StatusCodes.BadIndexRangeInvalid)]
    [InlineData("Int32[]", "2:1", StatusCodes.BadIndexRangeInvalid)]
    [InlineData("Int32[]", "-1", StatusCodes.BadIndexRangeInvalid)]
    [InlineData("Int32[]", "5", StatusCodes.BadIndexRangeNoData)]
    [InlineData("Int32[]", "0,0", StatusCodes.BadIndexRangeNoData)]
    [InlineData("Int32", "0", StatusCodes.BadIndexRangeNoData)]
    public async Task Read_RangeThatDoesNotFit_IsRefused(string node, string range, uint expected)
    {
        var client = await _fixture.ConnectAsync();
        var value = await ReadAsync(client, new NodeId(node, 1), AttributeId.Value, range);
        Assert.Equal(new StatusCode(expected), value.Status);
    }

    [Theory]
    [InlineData("Range", "Default Binary", AttributeId.Value, StatusCodes.Good)]
    [InlineData("Range", "Default XML", AttributeId.Value, StatusCodes.BadDataEncodingUnsupported)]
    [InlineData("Range", "Default JSON", AttributeId.Value, StatusCodes.BadDataEncodingUnsupported)]
    [InlineData("Range", "nonsense", AttributeId.Value, StatusCodes.BadDataEncodingInvalid)]
    [InlineData("Range", "Default Binary", AttributeId.BrowseName, StatusCodes.BadDataEncodingInvalid)]
    [InlineData("BaseDataType", "Default Binary", AttributeId.Value, StatusCodes.Good)]
    [InlineData("Int32", "Default Binary", AttributeId.Value, StatusCodes.BadDataEncodingInvalid)]
    [InlineData("Int32", "Default XML", AttributeId.Value, StatusCodes.BadDataEncodingInvalid)]
    [InlineData("Number", "Default Binary", AttributeId.Value, StatusCodes.BadDataEncodingInvalid)]
    [InlineData("Enumeration", "Default XML", AttributeId.Value, StatusCodes.BadDataEncodingInvalid)]
    public async Task DataEncoding_ReadOrMonitored_OnlyStructuresHaveOne(
        string node, string encoding, AttributeId attribute, uint expected)
    {
        var client = await _fixture.ConnectAsync();
        var id = new ReadValueId
        {
            NodeId = new NodeId(node, 1),
            AttributeId = (uint)attribute,
            DataEncoding = new QualifiedName(encoding),
        };
        var read = await client.CallAsync<ReadResponse>(new ReadRequest { NodesToRead = [id] });
        Assert.Equal(new StatusCode(expected), read.Results![0].Status);
        var subscription = await client.CallAsync<CreateSubscriptionResponse>(new CreateSubscriptionRequest());
        var items = await client.CallAsync<CreateMonitoredItemsResponse>(new CreateMonitoredItemsRequest
        {
            SubscriptionId = subscription.SubscriptionId,
            ItemsToCreate =
            [
                new MonitoredItemCreateRequest { ItemToMonitor = id, MonitoringMode = MonitoringMode.Reporting },
            ],
        });
        Assert.Equal(new StatusCode(expected), items.Results![0].StatusCode);
    }

    [Fact]
    public async Task Read_BadArguments_AreFaults()
    {
        var client = await _fixture.ConnectAsync();
        ReadValueId[] one = [Value(TestPlant.Int32)];
        Assert.Equal(StatusCodes.BadNothingToDo, await client.FaultAsync(new ReadRequest()));
        Assert.Equal(StatusCodes.BadNothingToDo, await client.FaultAsync(new ReadRequest { NodesToRead = [] }));
        Assert.Equal(
            StatusCodes.BadMaxAgeInvalid, await client.FaultAsync(new ReadRequest { MaxAge = -1, NodesToRead = one }));
        Assert.Equal(
            StatusCodes.BadMaxAgeInvalid,
            await client.FaultAsync(new ReadRequest { MaxAge = double.NaN, NodesToRead = one }));
        Assert.Equal(
            StatusCodes.BadTimestampsToReturnInvalid,
            await client.FaultAsync(
                new ReadRequest { TimestampsToReturn = (TimestampsToReturn)4, NodesToRead = one }));
    }

    [Fact]
    public async Task Read_MoreThanTheLimit_BadTooManyOperations()
    {
        using var fixture = new ServerFixture(
            options => options with { Limits = options.Limits with { MaxNodesPerRead = 2 } });
        var client = await fixture.ConnectAsync();
        ReadValueId[] two = [Value(TestPlant.Int32), Value(TestPlant.Int32)];
        await client.CallAsync<ReadResponse>(new ReadRequest { NodesToRead = two });
        Assert.Equal(
            StatusCodes.BadTooManyOperations,
            await client.FaultAsync(new ReadRequest { NodesToRead = [.. two, two[0]] }));
    }

    [Fact]
    public async Task Read_AnswerLargerThanThePeerTakes_BadResponseTooLarge()
    {
        var client = await _fixture.ConnectAsync();
        client.Link.MaxResponseSizeBytes = 100;
        var request = new ReadRequest { NodesToRead = [.. Enumerable.Repeat(Value(TestPlant.Text), 20)] };
        Assert.Equal(StatusCodes.BadResponseTooLarge, await client.FaultAsync(request));
    }

    [Fact]
    public async Task Read_SlowSource_AnswersLaterWithTheFastOnes()
    {
        var client = await _fixture.ConnectAsync();
        _fixture.Source.Hold();
        var id = client.Send(new ReadRequest
        {
            NodesToRead = [Value(TestPlant.Int32), Value(TestPlant.Slow), Value(TestPlant.Slow)],
        });
        Assert.False(client.Link.IsAnswered(id));
        Assert.Equal(7, (await ReadAsync(client, TestPlant.Int32, AttributeId.Value)).Value.AsInt32());

        var flushes = client.Link.Flushes;
        _fixture.Source.Go();
        var (_, response) = await client.AnswerAsync<ReadResponse>(id);
        Assert.Equal([7, 42, 42], response!.Results!.Select(result => result.Value.AsInt32()));
        Assert.Equal(1, _fixture.Source.Reads);
        Assert.True(client.Link.Flushes >= flushes);
    }

    [Fact]
    public async Task Read_SourceNeverAnswers_BadTimeoutBeforeItsHint()
    {
        var client = await _fixture.ConnectAsync();
        _fixture.Source.Hold();
        var id = client.Send(new ReadRequest { NodesToRead = [Value(TestPlant.Slow)] }, timeoutHint: 5000);
        _fixture.Time.Advance(4400);
        Assert.False(client.Link.IsAnswered(id));
        // The client gives up after 5,000 ms of its own clock, which began before ours.
        _fixture.Time.Advance(300);
        Assert.Equal(StatusCodes.BadTimeout, await client.FaultAsync(id));
        Assert.True(_fixture.Source.LastToken.IsCancellationRequested);
    }

    [Fact]
    public async Task Read_HugeTimeoutHint_Saturates()
    {
        var client = await _fixture.ConnectAsync();
        _fixture.Source.Hold();
        var id = client.Send(new ReadRequest { NodesToRead = [Value(TestPlant.Slow)] }, timeoutHint: uint.MaxValue);
        Assert.False(client.Link.IsAnswered(id));
        _fixture.Source.Go();
        Assert.Equal(42, (await client.AnswerAsync<ReadResponse>(id)).Response!.Results![0].Value.AsInt32());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(uint.MaxValue)]
    public async Task Read_SourceNeverAnswersAndNoHintOrAHugeOne_BadTimeoutAtTheLimit(uint timeoutHint)
    {
        var limit = new ServerLimits().MaxRequestTimeout.TotalMilliseconds;
        var client = await _fixture.ConnectAsync();
        _fixture.Source.Hold();
        var id = client.Send(
            new ReadRequest { NodesToRead = [Value(TestPlant.Slow)] }, timeoutHint: timeoutHint);
        // The session must not run into its own time-out meanwhile.
        for (var passed = 0.0; passed + 10_000 < limit; passed += 10_000)
        {
            _fixture.Time.Advance(10_000);
            await ReadAsync(client, TestPlant.Int32, AttributeId.Value);
        }

        Assert.False(client.Link.IsAnswered(id));
        _fixture.Time.Advance(10_300);
        Assert.Equal(StatusCodes.BadTimeout, await client.FaultAsync(id));
    }

    /// <summary>As long as the server lets a request wait: the client has given up by then.</summary>
    [Fact]
    public async Task Read_SourceNeverAnswersAndHintOfTheLimit_BadTimeoutBeforeIt()
    {
        var limit = new ServerLimits().MaxRequestTimeout.TotalMilliseconds;
        var client = await _fixture.ConnectAsync();
        _fixture.Source.Hold();
        var id = client.Send(
            new ReadRequest { NodesToRead = [Value(TestPlant.Slow)] }, timeoutHint: (uint)limit);
        for (var passed = 0.0; passed + 10_000 < limit; passed += 10_000)
        {
            _fixture.Time.Advance(10_000);
            await ReadAsync(client, TestPlant.Int32, AttributeId.Value);
        }

        Assert.False(client.Link.IsAnswered(id));
        _fixture.Time.Advance(9_800);
        Assert.Equal(StatusCodes.BadTimeout, await client.FaultAsync(id));
    }

    [Fact]
    public async Task Read_SourceThrows_BadInternalErrorAndNothingElse()
    {
        var client = await _fixture.ConnectAsync();
        _fixture.Source.Fault = new InvalidOperationException("secret path");
        Assert.Equal(
            StatusCodes.BadInternalError,
            await client.FaultAsync(new ReadRequest { NodesToRead = [Value(TestPlant.Slow)] }));
    }

    [Fact]
    public async Task Read_TooManyWaiting_BadServerTooBusy()
    {
        using var fixture = new ServerFixture(
            options => options with { Limits = options.Limits with { MaxPendingRequestsPerSession = 2 } });
        var client = await fixture.ConnectAsync();
        fixture.Source.Hold();
        var request = new ReadRequest { NodesToRead = [Value(TestPlant.Slow)] };
        var first = client.Send(request);
        client.Send(request);
        Assert.Equal(StatusCodes.BadServerTooBusy, await client.FaultAsync(request));
        fixture.Source.Go();
        Assert.Equal(42, (await client.AnswerAsync<ReadResponse>(first)).Response!.Results![0].Value.AsInt32());
    }

    [Fact]
    public async Task Read_UserChangesMeanwhile_LesserPermissionApplies()
    {
        var client = await _fixture.ConnectAsync("operator");
        _fixture.Source.Hold();
        var id = client.Send(new ReadRequest { NodesToRead = [Value(TestPlant.Slow)] });
        await client.ActivateAsync("nobody");
        _fixture.Source.Go();
        var (_, response) = await client.AnswerAsync<ReadResponse>(id);
        Assert.True(response!.Results![0].Status.IsBad);
        Assert.True(response.Results[0].Value.IsNull);
    }

    [Fact]
    public async Task Read_SessionClosedMeanwhile_BadSessionClosed()
    {
        var client = await _fixture.ConnectAsync();
        _fixture.Source.Hold();
        var id = client.Send(new ReadRequest { NodesToRead = [Value(TestPlant.Slow)] });
        await client.CallAsync<CloseSessionResponse>(new CloseSessionRequest());
        Assert.Equal(StatusCodes.BadSessionClosed, await client.FaultAsync(id));
    }

    private static ReadValueId Value(NodeId node) =>
        new() { NodeId = node, AttributeId = (uint)AttributeId.Value };

    /// <summary>A small request for one large value, very many times, behind one that has to be waited for.</summary>
    [Fact]
    public async Task Read_ALargeValueManyTimesBesideASlowSource_WhatDoesNotFitIsRefused()
    {
        const int Bytes = 40_000;
        using var fixture = new ServerFixture(static options => options with
        {
            Limits = options.Limits with { MaxDecodedBytesPerRequest = 4 * Bytes },
        });
        fixture.Values.Set(fixture.Find(TestPlant.ByteString), new DataValue(Variant.FromByteString(new byte[Bytes])));
        var client = await fixture.ConnectAsync();

        var response = await client.CallAsync<ReadResponse>(new ReadRequest
        {
            NodesToRead = [Value(TestPlant.Slow), .. Enumerable.Repeat(Value(TestPlant.ByteString), 100)],
        });

        Assert.True(response.Results![0].Status.IsGood);
        Assert.InRange(response.Results.Count(static one => one.Status.IsGood), 3, 5);
        Assert.Equal(StatusCodes.BadResponseTooLarge, response.Results[^1].Status);
    }

    /// <summary>It is not held meanwhile.</summary>
    [Fact]
    public async Task Read_AValueAtHandBesideASlowSource_IsTheOneOfTheAnswersTime()
    {
        var client = await _fixture.ConnectAsync();
        _fixture.Source.Hold();
        var id = client.Send(new ReadRequest { NodesToRead = [Value(TestPlant.Slow), Value(TestPlant.Int32)] });
        _fixture.Values.Set(_fixture.Find(TestPlant.Int32), new DataValue(new Variant(77)));

        _fixture.Source.Go();

        var (_, response) = await client.AnswerAsync<ReadResponse>(id);
        Assert.Equal(77, response!.Results![1].Value.AsInt32());
    }

    private static async Task<DataValue> ReadAsync(
        TestClient client, NodeId node, AttributeId attribute, string? range = null)
    {
        var response = await client.CallAsync<ReadResponse>(new ReadRequest
        {
            NodesToRead = [new ReadValueId { NodeId = node, AttributeId = (uint)attribute, IndexRange = range }],
        });
        return response.Results!.Single();
    }
}
