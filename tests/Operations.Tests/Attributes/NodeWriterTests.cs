using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Operations.Attributes;

namespace Gateway.Operations.Tests.Attributes;

public sealed class NodeWriterTests
{
    private static readonly Caller Operator = TestPlant.CallerOf(Roles.Operator, CallerDoor.Http);

    private readonly TestSource _late = new(default);
    private readonly TestSource _other = new(default) { WriteStatus = StatusCodes.BadDeviceFailure };
    private readonly TestPlant _plant = new();

    public NodeWriterTests() =>
        _plant.Variable("Late.1", _late).Variable("Late.2", _late).Variable("Other", _other)
            .Variable("Stored", _plant.Store).Variable("ReadOnly", _late, level: AccessLevelExType.CurrentRead);

    [Fact]
    public async Task WriteAsync_SeveralSources_EachHasItsValuesInOneCallInTheirOrder()
    {
        var results = await WriteAsync(new TestRequester(Operator), "Late.1", "Other", "Stored", "Late.2");

        Assert.Equal(
            [StatusCodes.Good, StatusCodes.BadDeviceFailure, StatusCodes.Good, StatusCodes.Good],
            results.Select(result => result.Code));
        Assert.Equal([0, 3], Assert.Single(_late.Writes).Select(write => write.Value.Value.AsInt32()));
        Assert.Equal(1, Assert.Single(Assert.Single(_other.Writes)).Value.Value.AsInt32());
        Assert.Equal(2, _plant.Values.Read(_plant["Stored"]).Value.AsInt32());
    }

    [Fact]
    public async Task WriteAsync_RefusedBesideAccepted_TheSourceHasTheAcceptedOnes()
    {
        var results = await WriteAsync(new TestRequester(Operator), "ReadOnly", "Nowhere", "Late.1");

        Assert.Equal(
            [StatusCodes.BadNotWritable, StatusCodes.BadNodeIdUnknown, StatusCodes.Good],
            results.Select(result => result.Code));
        Assert.Equal(_plant["Late.1"], Assert.Single(Assert.Single(_late.Writes)).Node);
    }

    [Theory]
    [InlineData(Roles.Observer, MessageSecurityMode.SignAndEncrypt, true, StatusCodes.BadUserAccessDenied)]
    [InlineData(Roles.Operator, MessageSecurityMode.Sign, true, StatusCodes.BadSecurityModeInsufficient)]
    [InlineData(Roles.Operator, MessageSecurityMode.SignAndEncrypt, false, StatusCodes.BadNodeIdUnknown)]
    [InlineData(Roles.Operator, MessageSecurityMode.SignAndEncrypt, true, StatusCodes.Good)]
    public async Task WriteAsync_SessionAndEncryptionRequired_TheSourceHasItOnlyWithBoth(
        Roles roles, MessageSecurityMode mode, bool hasSession, uint expected)
    {
        _plant.Variable(
            "Secret", _late,
            restrictions: AccessRestrictionType.SessionRequired | AccessRestrictionType.EncryptionRequired);
        var caller = TestPlant.CallerOf(roles, CallerDoor.Http, mode, hasSession);

        var results = await WriteAsync(new TestRequester(caller), "Secret");

        Assert.Equal(expected, Assert.Single(results).Code);
        Assert.Equal(expected == StatusCodes.Good ? 1 : 0, _late.Writes.Count);
    }

    [Fact]
    public async Task WriteAsync_UserOfLessRightsWhileASourceIsLate_TheNextSourceHasNothingOfIt()
    {
        var requester = new TestRequester(Operator);
        _late.Hold();
        var write = WriteAsync(requester, "Late.1", "Other");

        requester.PresentCaller = TestPlant.CallerOf(Roles.Observer);
        _late.Go();

        Assert.Equal(
            [StatusCodes.Good, StatusCodes.BadUserAccessDenied], (await write).Select(result => result.Code));
        Assert.Empty(_other.Writes);
    }

    /// <summary>Of each value its place in the request is written.</summary>
    private Task<StatusCode[]> WriteAsync(TestRequester requester, params string[] ids)
    {
        var plan = WritePlan.Take(ids.Length);
        for (var i = 0; i < ids.Length; i++)
        {
            var value = new WriteValue
            {
                NodeId = _plant.Id(ids[i]),
                AttributeId = (uint)AttributeId.Value,
                Value = new DataValue(new Variant(i)),
            };
            plan.Results[i] = _plant.Operations.WritePlanner.Plan(
                requester.Caller, value, out var source, out var write, out _);
            if (plan.Results[i].IsGood)
                plan.Accept(i, source!, write);
        }

        var results = _plant.Operations.Writer.WriteAsync(requester, plan, CancellationToken.None);
        plan.Return();
        return results.AsTask();
    }
}
