using System.Text;
using System.Text.Json;
using Gateway.Codec.Types;

namespace Gateway.Tests.Rest;

/// <summary>Writes over HTTP: JSON becomes the node's type, or the answer says what was expected.</summary>
[Collection(RestFixture.Name)]
public sealed class ValueWritingTests(RestFixture fixture)
{
    private readonly RestGateway _gateway = fixture.Gateway;

    [Theory]
    [InlineData("Boolean", "true")]
    [InlineData("SByte", "-128")]
    [InlineData("Byte", "255")]
    [InlineData("Int16", "-32768")]
    [InlineData("UInt16", "65535")]
    [InlineData("Int32", "-2147483648")]
    [InlineData("UInt32", "4294967295")]
    [InlineData("Int64", "\"9223372036854775807\"")]
    [InlineData("Int64", "-5")]
    [InlineData("UInt64", "\"18446744073709551615\"")]
    [InlineData("Float", "0.25")]
    [InlineData("Double", "-1e-300")]
    [InlineData("Double", "\"NaN\"")]
    [InlineData("String", "\"Grüße \\\"2\\\"\"")]
    [InlineData("DateTime", "\"2026-01-31T12:00:00Z\"")]
    [InlineData("Guid", "\"72962b91-fa75-4ae6-8d28-b404dc7daf63\"")]
    [InlineData("ByteString", "\"AQID\"")]
    [InlineData("LocalizedText", "{\"Locale\":\"de\",\"Text\":\"Presse\"}")]
    [InlineData("QualifiedName", "\"nsu=urn:gateway:simulator;Press\"")]
    [InlineData("NodeId", "\"nsu=urn:gateway:simulator;s=Press\"")]
    [InlineData("Int32[]", "[1,2,3]")]
    [InlineData("Boolean[]", "[true,false]")]
    [InlineData("String[]", "[\"a\",null]")]
    [InlineData("Double[,]", "[[1.5,2],[3,4],[5,6]]")]
    public async Task Put_ValueOfItsType_IsReadBackAsItWas(string node, string value)
    {
        var (status, json) = await PutAsync($$"""{"values":[{"node":"ns=2;s={{node}}","value":{{value}}}]}""");

        Assert.Equal(200, status);
        var result = Assert.Single(json.GetProperty("results").EnumerateArray());
        Assert.Equal("Good", result.GetProperty("status").GetString());
        var (_, read) = await RestGateway.GetAsync(
            _gateway.Observer, RestGateway.Query("/api/v1/values", "ns=2;s=" + node));
        using var expected = JsonDocument.Parse(value);
        Assert.True(
            JsonElement.DeepEquals(expected.RootElement, read.GetProperty("values")[0].GetProperty("value")),
            read.ToString());
    }

    /// <summary>As an anonymous client of UA-TCP in the same mode.</summary>
    [Fact]
    public async Task Put_UnderDemoWithoutALogin_IsWritten()
    {
        using var content = new StringContent(
            """{"values":[{"node":"ns=2;s=UInt16","value":7}]}""", Encoding.UTF8, "application/json");
        using var answer = await _gateway.Host.Client.PutAsync("/api/v1/values", content);

        Assert.Equal(
            """{"results":[{"node":"nsu=urn:gateway:simulator;s=UInt16","status":"Good"}]}""",
            await answer.Content.ReadAsStringAsync());
    }

    [Theory]
    [InlineData("Int16", "40000", "BadTypeMismatch", "expected Int16, -32768 … 32767")]
    [InlineData("Int16", "\"7\"", "BadTypeMismatch", "expected Int16, -32768 … 32767")]
    [InlineData("Int16", "[7]", "BadTypeMismatch", "expected Int16, -32768 … 32767")]
    [InlineData("Int16", "1e400", "BadTypeMismatch", "expected Int16, -32768 … 32767")]
    [InlineData("Byte", "-1", "BadTypeMismatch", "expected Byte, 0 … 255")]
    [InlineData("Boolean", "1", "BadTypeMismatch", "expected Boolean, true or false")]
    [InlineData("Guid", "\"x\"", "BadTypeMismatch", "expected Guid, as 72962B91-")]
    [InlineData("NodeId", "\"Int16\"", "BadTypeMismatch", "expected NodeId, as nsu=<uri>;s=x or ns=2;s=x")]
    [InlineData("ExpandedNodeId", "7", "BadTypeMismatch", "expected ExpandedNodeId, as nsu=<uri>;s=x")]
    [InlineData("QualifiedName", "7", "BadTypeMismatch", "expected QualifiedName, as nsu=<uri>;name")]
    [InlineData("LocalizedText", "7", "BadTypeMismatch", "expected LocalizedText, as a string or {")]
    [InlineData("LocalizedText", "{\"text\":1}", "BadTypeMismatch", "unknown member \"text\": expected Locale, Text")]
    [InlineData("StatusCode", "\"Good\"", "BadTypeMismatch", "expected StatusCode, as {\"Code\":…}")]
    [InlineData("Double", "\"fast\"", "BadTypeMismatch", "expected Double")]
    [InlineData("DateTime", "\"tomorrow\"", "BadTypeMismatch", "expected DateTime, as 2026-01-31T12:00:00Z")]
    [InlineData("Int32[]", "7", "BadTypeMismatch", "expected an array of Int32, -2147483648 … 2147483647")]
    [InlineData("Int32[]", "[1,\"2\"]", "BadTypeMismatch", "$[1]: expected Int32, -2147483648 … 2147483647")]
    [InlineData("Double[,]", "[[1,2],[3]]", "BadTypeMismatch", "$")]
    [InlineData("ReadOnly", "7", "BadNotWritable", null)]
    [InlineData("Nowhere", "7", "BadNodeIdUnknown", null)]
    public async Task Put_WhatTheNodeDoesNotTake_SaysWhatWasExpectedAndWritesTheOthers(
        string node, string value, string status, string? message)
    {
        _gateway.Set("UInt32", new Variant(0u));
        var (http, json) = await PutAsync(
            $$"""{"values":[{"node":"ns=2;s={{node}}","value":{{value}}},{"node":"ns=2;s=UInt32","value":9}]}""");

        Assert.Equal(200, http);
        var results = json.GetProperty("results");
        Assert.Equal(status, results[0].GetProperty("status").GetString());
        Assert.Equal(message is not null, results[0].TryGetProperty("message", out var said));
        if (message is not null)
            Assert.StartsWith(message, said.GetString(), StringComparison.Ordinal);
        Assert.Equal("Good", results[1].GetProperty("status").GetString());
        Assert.Equal(9u, _gateway.Read("UInt32").Value.AsUInt32());
    }

    [Theory]
    [InlineData("""{"values":[{"node":"ns=2;s=Int16"}]}""", "$.values[0]")]
    [InlineData("""{"values":[{"node":"ns=2;s=Int16","value":1,"value":2}]}""", "$.values[0]: the member value")]
    [InlineData(
        """{"values":[{"node":"ns=2;s=Int16","value":1,"colour":2}]}""",
        "$.values[0]: unknown member \"colour\": expected node, value, status, sourceTimestamp")]
    [InlineData("""{"values":[{"node":"Int16","value":1}]}""", "values[0]: expected a node id")]
    [InlineData("""{"values":[{"node":"ns=2;s=Int16","value":1,"status":"Fine"}]}""", "$.values[0].status")]
    [InlineData("""{"values":[]}""", "$")]
    public async Task Put_BodyThatIsNone_SaysWhereAndWritesNothing(string body, string detail)
    {
        _gateway.Set("Int16", new Variant((short)3));
        var (http, json) = await PutAsync(body);

        Assert.Equal(400, http);
        Assert.StartsWith(detail, json.GetProperty("detail").GetString(), StringComparison.Ordinal);
        Assert.Equal(3, _gateway.Read("Int16").Value.AsInt32());
    }

    [Fact]
    public async Task Put_ByAnObserver_IsRefusedWithoutAWordAboutTheType()
    {
        var (_, json) = await RestGateway.SendAsync(
            _gateway.Observer, HttpMethod.Put, "/api/v1/values",
            """{"values":[{"node":"ns=2;s=Int16","value":"x"}]}""");

        var result = json.GetProperty("results")[0];
        Assert.Equal("BadUserAccessDenied", result.GetProperty("status").GetString());
        Assert.False(result.TryGetProperty("message", out _));
    }

    private Task<(int Status, JsonElement Json)> PutAsync(string body) =>
        RestGateway.SendAsync(_gateway.Operator, HttpMethod.Put, "/api/v1/values", body);
}
