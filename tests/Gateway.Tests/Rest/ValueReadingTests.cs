using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Gateway.Codec.Types;

namespace Gateway.Tests.Rest;

/// <summary>Values over HTTP, as clients ask for them.</summary>
[Collection(RestFixture.Name)]
public sealed class ValueReadingTests(RestFixture fixture)
{
    private readonly RestGateway _gateway = fixture.Gateway;

    [Theory]
    [InlineData("ns=2;s=Int16")]
    [InlineData("nsu=urn:gateway:simulator;s=Int16")]
    [InlineData("urn:gateway:simulator#s=Int16")]
    public async Task Get_NodeInEachForm_IsPrintedByItsUri(string node)
    {
        Set("Int16", new Variant((short)-5));

        var (status, json) = await RestGateway.GetAsync(
            _gateway.Observer, RestGateway.Query("/api/v1/values", node));

        Assert.Equal(200, status);
        var value = Assert.Single(json.GetProperty("values").EnumerateArray());
        Assert.Equal(RestGateway.Int16, value.GetProperty("node").GetString());
        Assert.Equal(-5, value.GetProperty("value").GetInt32());
        Assert.Equal("Int16", value.GetProperty("type").GetString());
        Assert.Equal("Good", value.GetProperty("status").GetString());
        Assert.EndsWith("Z", value.GetProperty("sourceTimestamp").GetString(), StringComparison.Ordinal);
        Assert.EndsWith("Z", value.GetProperty("serverTimestamp").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Get_BrowsePath_IsFollowed()
    {
        var (_, json) = await RestGateway.GetAsync(_gateway.Observer, RestGateway.Query(
            "/api/v1/values", "/Objects/Server/ServerStatus/State", "/Objects/2:Nowhere"));

        var values = json.GetProperty("values");
        Assert.Equal("i=2259", values[0].GetProperty("node").GetString());
        Assert.Equal(0, values[0].GetProperty("value").GetInt32());
        Assert.Equal("/Objects/2:Nowhere", values[1].GetProperty("node").GetString());
        Assert.Equal("BadNoMatch", values[1].GetProperty("status").GetString());
        Assert.False(values[1].TryGetProperty("value", out _));
    }

    [Fact]
    public async Task Post_ManyNodes_AnsweredInTheirOrderEachWithItsStatus()
    {
        Set("Double", new Variant(0.5));
        var (status, json) = await RestGateway.SendAsync(
            _gateway.Observer, HttpMethod.Post, "/api/v1/values/read",
            """{"nodes":["ns=2;s=Nowhere","ns=2;s=Double","nsu=urn:nowhere;i=1","i=85","ns=2;s=Double"]}""");

        Assert.Equal(200, status);
        Assert.Equal(
            ["BadNodeIdUnknown", "Good", "BadNodeIdUnknown", "BadAttributeIdInvalid", "Good"],
            json.GetProperty("values").EnumerateArray().Select(one => one.GetProperty("status").GetString()));
        Assert.Equal(0.5, json.GetProperty("values")[4].GetProperty("value").GetDouble());
        Assert.Equal("nsu=urn:nowhere;i=1", json.GetProperty("values")[2].GetProperty("node").GetString());
    }

    /// <summary>Browsers read integers exactly up to 2^53.</summary>
    [Theory]
    [InlineData(long.MaxValue, JsonValueKind.String)]
    [InlineData((1L << 53) + 1, JsonValueKind.String)]
    [InlineData(1L << 53, JsonValueKind.Number)]
    [InlineData(-(1L << 53), JsonValueKind.Number)]
    [InlineData(-(1L << 53) - 1, JsonValueKind.String)]
    public async Task Get_Int64_IsANumberAsLongAsItIsExact(long number, JsonValueKind kind)
    {
        Set("Int64", new Variant(number));
        Set("Int64[]", Variant.FromArray(BuiltInType.Int64, new[] { number }));

        var (_, json) = await RestGateway.GetAsync(
            _gateway.Observer, RestGateway.Query("/api/v1/values", "ns=2;s=Int64", "ns=2;s=Int64[]"));

        var one = json.GetProperty("values")[0].GetProperty("value");
        Assert.Equal(kind, one.ValueKind);
        Assert.Equal(number.ToString(CultureInfo.InvariantCulture), one.ToString());
        Assert.Equal(kind, json.GetProperty("values")[1].GetProperty("value")[0].ValueKind);
    }

    [Fact]
    public async Task Get_Matrix_IsArraysOfArrays()
    {
        Set("Int32[]", Variant.FromMatrix(BuiltInType.Int32, new Matrix(new[] { 1, 2, 3, 4, 5, 6 }, [2, 3])));

        var (_, json) = await RestGateway.GetAsync(
            _gateway.Observer, RestGateway.Query("/api/v1/values", "ns=2;s=Int32[]"));

        Assert.Equal("[[1,2,3],[4,5,6]]", json.GetProperty("values")[0].GetProperty("value").GetRawText());
    }

    [Fact]
    public async Task Get_Csv_OpensInASpreadsheet()
    {
        Set("String", new Variant("=1+1, \"x\""));
        Set("Int32[]", Variant.FromArray(BuiltInType.Int32, new[] { 1, 2 }));
        using var request = new HttpRequestMessage(
            HttpMethod.Get,
            RestGateway.Query("/api/v1/values", "ns=2;s=String", "ns=2;s=Int32[]", "ns=2;s=Nowhere"));
        request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("text/csv"));

        using var answer = await _gateway.Observer.SendAsync(request);

        Assert.Equal("text/csv", answer.Content.Headers.ContentType!.MediaType);
        var lines = Encoding.UTF8.GetString(await answer.Content.ReadAsByteArrayAsync()).Split("\r\n");
        Assert.Equal("\uFEFFnode,value,type,status,sourceTimestamp,serverTimestamp", lines[0]);
        Assert.StartsWith(
            "\"nsu=urn:gateway:simulator;s=String\",\"'=1+1, \"\"x\"\"\",String,Good,", lines[1],
            StringComparison.Ordinal);
        Assert.StartsWith(
            "\"nsu=urn:gateway:simulator;s=Int32[]\",\"[1,2]\",Int32,Good,", lines[2], StringComparison.Ordinal);
        Assert.Equal("\"nsu=urn:gateway:simulator;s=Nowhere\",,,BadNodeIdUnknown,,", lines[3].TrimEnd('\uFEFF'));
    }

    [Theory]
    [InlineData("?node=ns%3D2", "BadNodeIdInvalid", "node[0]: expected a node id")]
    [InlineData("?node=i%3D85&node=ns%253D2%253Bi%253D1", "BadNodeIdInvalid", "node[1]: expected a node id")]
    [InlineData("", "BadNothingToDo", "node: expected a node id")]
    [InlineData("?node=i%3D85&maxAge=old", "BadMaxAgeInvalid", "maxAge: expected")]
    public async Task Get_WhatCannotBeUnderstood_SaysWhatAndWhere(string query, string status, string detail)
    {
        var (http, json) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/values" + query);

        Assert.Equal(400, http);
        Assert.Equal(400, json.GetProperty("status").GetInt32());
        Assert.Equal(status, json.GetProperty("statusCode").GetString());
        Assert.StartsWith(detail, json.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("""{"nodes":["i=85"]""", "BadDecodingError", 400)]
    [InlineData("""{"nodes":["i=85"],"nodes":[]}""", "BadDecodingError", 400)]
    [InlineData("""{"nodes":["i=85"],"more":1}""", "BadDecodingError", 400)]
    [InlineData("""{"nodes":[7]}""", "BadDecodingError", 400)]
    [InlineData("""{}""", "BadDecodingError", 400)]
    [InlineData("", "BadDecodingError", 400)]
    [InlineData("""{"nodes":["\u0000"]}""", "BadDecodingError", 400)]
    public async Task Post_BadBody_SaysWhatAndWhere(string body, string status, int http)
    {
        var (answered, json) = await RestGateway.SendAsync(
            _gateway.Observer, HttpMethod.Post, "/api/v1/values/read", body);

        Assert.Equal(http, answered);
        Assert.Equal(status, json.GetProperty("statusCode").GetString());
        Assert.StartsWith("$", json.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Post_TooDeepBody_IsRefusedByItsDepth()
    {
        var (http, json) = await RestGateway.SendAsync(
            _gateway.Observer, HttpMethod.Post, "/api/v1/values/read",
            "{\"nodes\":" + new string('[', 10_000) + new string(']', 10_000) + "}");

        Assert.Equal(400, http);
        Assert.Equal("BadDecodingError", json.GetProperty("statusCode").GetString());
    }

    [Fact]
    public async Task Post_ContentTypeWeDoNotTake_415()
    {
        using var content = new StringContent("nodes=i=85", Encoding.UTF8, "application/x-www-form-urlencoded");
        using var answer = await _gateway.Observer.PostAsync("/api/v1/values/read", content);

        Assert.Equal(HttpStatusCode.UnsupportedMediaType, answer.StatusCode);
        Assert.Equal("application/problem+json", answer.Content.Headers.ContentType!.MediaType);
        var problem = await RestGateway.JsonOf(answer);
        Assert.Equal("BadDataEncodingUnsupported", problem.GetProperty("statusCode").GetString());
    }

    [Fact]
    public async Task Get_WithoutALogin_ProxiedUnderDemo_401()
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, "/api/v1/values?node=i%3D85");
        request.Headers.Add("X-Forwarded-For", "192.0.2.1");
        using var answer = await _gateway.Host.Client.SendAsync(request);

        Assert.Equal(HttpStatusCode.Unauthorized, answer.StatusCode);
    }

    private void Set(string id, in Variant value) => _gateway.Set(id, value);
}
