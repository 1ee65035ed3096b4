using System.Text.Json;

namespace Gateway.Tests.Rest;

/// <summary>Methods over HTTP.</summary>
[Collection(RestFixture.Name)]
public sealed class CallTests(RestFixture fixture)
{
    private readonly RestGateway _gateway = fixture.Gateway;

    [Theory]
    [InlineData("[2,3]")]
    [InlineData("""{"B":3,"A":2}""")]
    public async Task Call_InputsAsAListOrByName_OutputsInOrder(string inputs)
    {
        var (status, json) = await CallAsync("Add", inputs);

        Assert.Equal(200, status);
        Assert.Equal("""{"status":"Good","outputs":[5]}""", json.GetRawText());
    }

    [Theory]
    [InlineData("[2,\"3\"]", "BadInvalidArgument", "inputs[1] (B): expected Int32, -2147483648 … 2147483647")]
    [InlineData("""{"A":2,"B":null}""", "BadInvalidArgument", "inputs.B: expected Int32")]
    [InlineData("""{"A":2,"C":3}""", "BadArgumentsMissing", "inputs: expected A, B")]
    [InlineData("[2]", "BadArgumentsMissing", "inputs: expected A, B")]
    [InlineData("[2,3,4]", "BadTooManyArguments", "inputs: expected A, B")]
    [InlineData("""{"A":2,"A":3}""", "BadDecodingError", "$.inputs.A")]
    public async Task Call_InputsThatDoNotFit_SaysWhichAndWhatWasExpected(string inputs, string status, string detail)
    {
        var (http, json) = await CallAsync("Add", inputs);

        Assert.Equal(400, http);
        Assert.Equal(status, json.GetProperty("statusCode").GetString());
        Assert.StartsWith(detail, json.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Call_InputsNull_AreNone()
    {
        var (http, json) = await CallAsync("Add", "null");

        Assert.Equal(400, http);
        Assert.Equal("BadArgumentsMissing", json.GetProperty("statusCode").GetString());
    }

    [Fact]
    public async Task Call_MethodThatFails_IsAnsweredWithItsStatus()
    {
        var (http, json) = await CallAsync("Add", "[2147483647,1]");

        Assert.Equal(200, http);
        Assert.Equal("""{"status":"BadOutOfRange","outputs":[]}""", json.GetRawText());
    }

    [Theory]
    [InlineData("Nothing", 404, "BadMethodInvalid")]
    public async Task Call_NoSuchMethod_404(string method, int http, string status)
    {
        var (answered, json) = await CallAsync(method, "[]");

        Assert.Equal(http, answered);
        Assert.Equal(status, json.GetProperty("statusCode").GetString());
    }

    [Theory]
    [InlineData("""{"object":"Methods","method":"ns=2;s=Add"}""", "object: expected a node id")]
    [InlineData("""{"object":"ns=2;s=Methods","method":"Add"}""", "method: expected a node id")]
    public async Task Call_WhatIsNoNodeId_SaysWhichMember(string body, string detail)
    {
        var (http, json) = await RestGateway.SendAsync(_gateway.Operator, HttpMethod.Post, "/api/v1/call", body);

        Assert.Equal(400, http);
        Assert.StartsWith(detail, json.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Call_ByAnObserver_403()
    {
        var (http, json) = await RestGateway.SendAsync(
            _gateway.Observer, HttpMethod.Post, "/api/v1/call",
            """{"object":"ns=2;s=Methods","method":"ns=2;s=Add","inputs":[1,2]}""");

        Assert.Equal(403, http);
        Assert.Equal("BadUserAccessDenied", json.GetProperty("statusCode").GetString());
    }

    private Task<(int Status, JsonElement Json)> CallAsync(string method, string inputs) => RestGateway.SendAsync(
        _gateway.Operator, HttpMethod.Post, "/api/v1/call",
        $$"""{"object":"ns=2;s=Methods","method":"ns=2;s={{method}}","inputs":{{inputs}}}""");
}
