using Gateway.Codec.Types;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Services;

/// <summary>Write and Call over HTTP, without a session: HTTP's user may what he may by every protocol.</summary>
[Collection(RestFixture.Name)]
public sealed class WriteAndCallTests(RestFixture fixture)
{
    private const string Write =
        """
        {"NodesToWrite":[{"NodeId":"ns=2;s=UInt64[]","AttributeId":13,
          "Value":{"UaType":9,"Value":["1","18446744073709551615"]}}]}
        """;

    private const string Add =
        """
        {"MethodsToCall":[{"ObjectId":"ns=2;s=Methods","MethodId":"ns=2;s=Add",
          "InputArguments":[{"UaType":6,"Value":2},{"UaType":6,"Value":3}]}]}
        """;

    private readonly RestGateway _gateway = fixture.Gateway;

    [Fact]
    public async Task Write_ByAnOperator_IsWritten()
    {
        var (http, json) = await _gateway.Operator.CallAsync("write", Write);

        Assert.Equal((200, 0u), (http, json.ResultOf()));
        Assert.Equal(new ulong[] { 1, ulong.MaxValue }, _gateway.Read("UInt64[]").Value.AsArray<ulong>());
    }

    [Fact]
    public async Task Write_ByAnObserver_RefusedAsByUaTcp()
    {
        var (http, json) = await _gateway.Observer.CallAsync("write", Write);

        Assert.Equal((200, 0u), (http, json.ResultOf()));
        Assert.Equal(StatusCodes.BadUserAccessDenied, json.GetProperty("Results")[0].GetProperty("Code").GetUInt32());
    }

    [Theory]
    [InlineData("""{"UaType":6,"Value":[1]}""", StatusCodes.BadTypeMismatch)]
    [InlineData("""{"UaType":9,"Value":"1"}""", StatusCodes.BadTypeMismatch)]
    public async Task Write_OfAnotherType_Refused(string value, uint status)
    {
        var (_, json) = await _gateway.Operator.CallAsync(
            "write", $$"""{"NodesToWrite":[{"NodeId":"ns=2;s=UInt64[]","AttributeId":13,"Value":{{value}}}]}""");

        Assert.Equal(status, json.GetProperty("Results")[0].GetProperty("Code").GetUInt32());
    }

    [Fact]
    public async Task Call_Add_Sum()
    {
        var (http, json) = await _gateway.Operator.CallAsync("call", Add);

        Assert.Equal((200, 0u), (http, json.ResultOf()));
        var output = json.GetProperty("Results")[0].GetProperty("OutputArguments")[0];
        Assert.Equal(5, output.GetProperty("Value").GetInt32());
    }

    [Fact]
    public async Task Call_ByAnObserver_Refused()
    {
        var (_, json) = await _gateway.Observer.CallAsync("call", Add);

        Assert.Equal(StatusCodes.BadUserAccessDenied, json.GetProperty("Results")[0].CodeOf("StatusCode"));
    }

    /// <summary>GetMonitoredItems acts on the caller's own subscriptions: without a session there are none.</summary>
    [Fact]
    public async Task Call_GetMonitoredItemsWithoutASession_RefusedAlone()
    {
        var (http, json) = await _gateway.Operator.CallAsync(
            "call",
            """
            {"MethodsToCall":[{"ObjectId":"i=2253","MethodId":"i=11492",
              "InputArguments":[{"UaType":7,"Value":1}]}]}
            """);

        Assert.Equal((200, 0u), (http, json.ResultOf()));
        Assert.NotEqual(0u, json.GetProperty("Results")[0].CodeOf("StatusCode"));
    }
}
