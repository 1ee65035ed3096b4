using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;

namespace Gateway.Operations.Tests.Attributes;

public sealed class NodeReaderTests
{
    private static readonly Caller Observer = TestPlant.CallerOf(Roles.Observer, CallerDoor.Http);
    private static readonly Variant Large = Variant.FromByteString(new byte[10_000]);

    private readonly TestSource _late = new(new Variant(1));
    private readonly TestSource _other = new(new Variant(2));
    private readonly TestPlant _plant;

    public NodeReaderTests()
    {
        _plant = new TestPlant(TestTurn.Plenty with { MaxAnswerBytesPerRequest = 5_000 })
            .Variable("Stored", null!).Variable("Late.1", _late).Variable("Late.2", _late).Variable("Other", _other);
        _plant.Set("Stored", new Variant(7));
    }

    [Fact]
    public async Task ReadAsync_SeveralSources_AsksEachOnceForAllOfItsNodesAndAllAtOnce()
    {
        _late.Hold();
        _other.Hold();

        var read = ReadAsync(new TestRequester(Observer), "Late.1", "Other", "Stored", "Late.2");

        Assert.Equal([2], _late.Reads);
        Assert.Equal([1], _other.Reads);
        Assert.False(read.IsCompleted);
        _other.Go();
        _late.Go();
        var values = await read;
        Assert.Equal([1, 2, 7, 1], values.Select(value => value.Value.AsInt32()));
    }

    [Fact]
    public async Task ReadAsync_StoredValueBesideALateSource_IsTheOneOfTheEnd()
    {
        _late.Hold();
        var read = ReadAsync(new TestRequester(Observer), "Stored", "Late.1");

        _plant.Set("Stored", new Variant(8));
        _late.Go();

        Assert.Equal([8, 1], (await read).Select(value => value.Value.AsInt32()));
    }

    [Fact]
    public async Task ReadAsync_TooLargeBesideALateOne_IsRefusedAlone()
    {
        _late.Hold();
        var read = ReadAsync(new TestRequester(Observer), "Late.1", "Stored", "Late.2");

        _plant.Set("Stored", Large);
        _late.Go();

        var values = await read;
        Assert.Equal(1, values[0].Value.AsInt32());
        Assert.Equal(StatusCodes.BadResponseTooLarge, values[1].Status.Code);
        Assert.True(values[1].Value.IsNull);
        Assert.Equal(1, values[2].Value.AsInt32());
    }

    [Fact]
    public async Task ReadAsync_LateValueTooLarge_NoneAfterItIsTaken()
    {
        _plant.Variable("Large", new TestSource(Large));

        var values = await ReadAsync(new TestRequester(Observer), "Stored", "Large");

        Assert.All(values, value => Assert.Equal(StatusCodes.BadResponseTooLarge, value.Status.Code));
    }

    [Theory]
    [InlineData(MessageSecurityMode.SignAndEncrypt, StatusCodes.Good)]
    [InlineData(MessageSecurityMode.Sign, StatusCodes.BadSecurityModeInsufficient)]
    [InlineData(MessageSecurityMode.None, StatusCodes.BadSecurityModeInsufficient)]
    public async Task ReadAsync_EncryptionRequired_NeedsAnEncryptedConnection(MessageSecurityMode mode, uint expected)
    {
        _plant.Variable("Secret", _late, restrictions: AccessRestrictionType.EncryptionRequired);
        var caller = TestPlant.CallerOf(Roles.Observer, CallerDoor.Http, mode);

        var values = await ReadAsync(new TestRequester(caller), "Secret");

        Assert.Equal(expected, values[0].Status.Code);
        Assert.Equal(expected == StatusCodes.Good ? 1 : 0, _late.Reads.Count);
    }

    [Theory]
    [InlineData(true, StatusCodes.Good)]
    [InlineData(false, StatusCodes.BadNodeIdUnknown)]
    public async Task ReadAsync_SessionRequired_NodeIsThereForSessionsOnly(bool hasSession, uint expected)
    {
        _plant.Variable("OfSessions", _late, restrictions: AccessRestrictionType.SessionRequired);
        var caller = TestPlant.CallerOf(Roles.Engineer, CallerDoor.Http, hasSession: hasSession);

        var values = await ReadAsync(new TestRequester(caller), "OfSessions");

        Assert.Equal(expected, values[0].Status.Code);
    }

    [Theory]
    [InlineData(Roles.Observer, StatusCodes.BadNodeIdUnknown)]
    [InlineData(Roles.Engineer, StatusCodes.Good)]
    public async Task ReadAsync_NodeOfOneRole_IsThereForItOnly(Roles roles, uint expected)
    {
        _plant.Variable("OfEngineers", _late, only: StandardIds.Objects.WellKnownRole_Engineer);

        var values = await ReadAsync(new TestRequester(TestPlant.CallerOf(roles)), "OfEngineers");

        Assert.Equal(expected, values[0].Status.Code);
    }

    [Fact]
    public async Task ReadAsync_UserOfLessRightsMeanwhile_GetsNothingThatHeMayNotRead()
    {
        _plant.Variable("OfEngineers", _late, only: StandardIds.Objects.WellKnownRole_Engineer);
        var requester = new TestRequester(TestPlant.CallerOf(Roles.Engineer));
        _late.Hold();
        var read = ReadAsync(requester, "OfEngineers", "Late.1");

        requester.PresentCaller = Observer;
        _late.Go();

        var values = await read;
        Assert.Equal(StatusCodes.BadNodeIdUnknown, values[0].Status.Code);
        Assert.Equal(1, values[1].Value.AsInt32());
    }

    [Fact]
    public async Task ReadAsync_Cancelled_WaitsNoLonger()
    {
        using var cancellation = new CancellationTokenSource();
        _late.Hold();
        var read = ReadAsync(new TestRequester(Observer), cancellation.Token, "Late.1");

        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => read);
    }

    private Task<DataValue[]> ReadAsync(TestRequester requester, params string[] ids) =>
        ReadAsync(requester, CancellationToken.None, ids);

    private Task<DataValue[]> ReadAsync(TestRequester requester, CancellationToken cancellation, params string[] ids) =>
        _plant.Operations.Reader.ReadAsync(
            requester,
            [.. ids.Select(id => new ReadValueId
            {
                NodeId = _plant.Id(id),
                AttributeId = (uint)AttributeId.Value,
            })],
            0, TimestampsToReturn.Neither, cancellation).AsTask();
}
