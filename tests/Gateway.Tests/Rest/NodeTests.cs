using System.Net;
using System.Net.Http.Headers;
using System.Text.Json;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Tests.Rest;

/// <summary>Nodes, their children and searches over HTTP.</summary>
[Collection(RestFixture.Name)]
public sealed class NodeTests(RestFixture fixture)
{
    private readonly RestGateway _gateway = fixture.Gateway;

    [Theory]
    [InlineData("ns=2;s=Int16")]
    [InlineData("ns%3D2%3Bs%3DInt16")]
    [InlineData("nsu=urn:gateway:simulator;s=Int16")]
    public async Task Get_Variable_IsDescribed(string id)
    {
        var (status, json) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/nodes/" + id);

        Assert.Equal(200, status);
        Assert.Equal(RestGateway.Int16, Text(json, "node"));
        Assert.Equal("Variable", Text(json, "nodeClass"));
        Assert.Equal("nsu=urn:gateway:simulator;Int16", Text(json, "browseName"));
        Assert.Equal("Int16", Text(json, "displayName"));
        Assert.Equal("i=63", Text(json, "typeDefinition"));
        Assert.Equal("i=4", Text(json, "dataType"));
        Assert.Equal(-1, json.GetProperty("valueRank").GetInt32());
        Assert.Equal("""["read"]""", json.GetProperty("access").GetRawText());
        Assert.EndsWith("/2:Int16", Text(json, "path"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Get_PathOfANode_LeadsToIt()
    {
        var (_, json) = await RestGateway.GetAsync(_gateway.Operator, "/api/v1/nodes/ns=2;s=Int16");
        var path = Uri.EscapeDataString(Text(json, "path")!);

        var (status, again) = await RestGateway.GetAsync(_gateway.Operator, "/api/v1/nodes/" + path);

        Assert.Equal(200, status);
        Assert.True(JsonElement.DeepEquals(json, again));
        Assert.Equal("""["read","write"]""", again.GetProperty("access").GetRawText());
    }

    [Fact]
    public async Task Get_UriWithSlashes_IsTakenWhole()
    {
        var (status, json) = await RestGateway.GetAsync(
            _gateway.Observer, "/api/v1/nodes/nsu=http://opcfoundation.org/UA/;i=85?fields=node,displayName");

        Assert.Equal(200, status);
        Assert.Equal("""{"node":"i=85","displayName":"Objects"}""", json.GetRawText());
    }

    [Theory]
    [InlineData("ns=2;s=Nowhere", 404, "BadNodeIdUnknown")]
    [InlineData("nsu=urn:nowhere;i=1", 404, "BadNodeIdUnknown")]
    [InlineData("nsu=urn:gateway:simulator;s=x%23i=5", 404, "BadNodeIdUnknown")]
    [InlineData("nsu=urn:gateway%253Asimulator;s=Int16", 404, "BadNodeIdUnknown")]
    [InlineData("nsu=urn:gateway:simulator;ns=2;s=Int16", 400, "BadNodeIdInvalid")]
    [InlineData("%2FObjects%2FNowhere", 404, "BadNoMatch")]
    [InlineData("ns%253D2%253Bs%253DInt16", 400, "BadNodeIdInvalid")]
    [InlineData("Int16", 400, "BadNodeIdInvalid")]
    [InlineData("ns=2;s=%FF", 400, "BadNodeIdInvalid")]
    [InlineData("ns=2;s=Int16?fields=colour", 400, "BadInvalidArgument")]
    public async Task Get_WhatIsNoNode_SaysSo(string id, int status, string statusCode)
    {
        var (http, json) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/nodes/" + id);

        Assert.Equal(status, http);
        Assert.Equal(statusCode, json.GetProperty("statusCode").GetString());
    }

    /// <summary>Things that rarely change.</summary>
    [Theory]
    [InlineData("/api/v1/nodes/ns=2;s=Int16")]
    [InlineData("/api/v1/nodes/ns=2;s=Methods/children")]
    [InlineData("/api/v1/info")]
    [InlineData("/api/v1/pubsub")]
    [InlineData("/api/v1/config?limit=5")]
    [InlineData("/api/v1/certificates?store=own")]
    public async Task Get_WhatTheClientHas_304(string path)
    {
        var client = path.Contains("certificates", StringComparison.Ordinal)
            ? _gateway.SecurityAdmin : _gateway.Engineer;
        using var first = await client.GetAsync(path);
        var tag = first.Headers.ETag!;
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        request.Headers.IfNoneMatch.Add(tag);
        using var other = new HttpRequestMessage(HttpMethod.Get, path);
        other.Headers.IfNoneMatch.Add(new EntityTagHeaderValue("\"other\""));

        using var second = await client.SendAsync(request);
        using var third = await client.SendAsync(other);

        Assert.Equal(HttpStatusCode.NotModified, second.StatusCode);
        Assert.Empty(await second.Content.ReadAsByteArrayAsync());
        Assert.Equal(HttpStatusCode.OK, third.StatusCode);
        Assert.Equal(tag, third.Headers.ETag);
    }

    /// <summary>Its first piece had left before the last one was known.</summary>
    [Fact]
    public async Task Children_MoreThanAPiece_ComeWithoutATag()
    {
        var crowd = new NodeId("Crowd", 2);
        var batch = new NodeBatch().AddObject(
            crowd, new QualifiedName("Crowd", 2), new NodeId(StandardIds.Objects.ObjectsFolder));
        for (var i = 0; i < 300; i++)
            batch.AddObject(new NodeId($"Crowd.{i}", 2), new QualifiedName($"One{i}", 2), crowd);
        _gateway.Host.Get<NodeTable>().Apply(batch);

        using var answer = await _gateway.Observer.GetAsync("/api/v1/nodes/ns=2;s=Crowd/children?limit=1000");

        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        Assert.Null(answer.Headers.ETag);
        Assert.Equal(300, (await RestGateway.JsonOf(answer)).GetProperty("nodes").GetArrayLength());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(1000)]
    public async Task Children_PageByPage_AreAllOfThemOnce(int limit)
    {
        var found = new List<string>();
        var cursor = "";
        do
        {
            var (status, json) = await RestGateway.GetAsync(
                _gateway.Observer, $"/api/v1/nodes/i=2253/children?limit={limit}&fields=node{cursor}");
            Assert.Equal(200, status);
            Assert.InRange(json.GetProperty("nodes").GetArrayLength(), 1, limit);
            found.AddRange(json.GetProperty("nodes").EnumerateArray().Select(node => Text(node, "node")!));
            cursor = json.TryGetProperty("next", out var next) ? "&cursor=" + next.GetString() : "";
        }
        while (cursor.Length > 0);

        Assert.Contains("i=2256", found);
        Assert.Equal(found.Count, found.Distinct().Count());
        Assert.True(found.Count > 10);
    }

    [Theory]
    [InlineData("i=2253/children?cursor=x")]
    [InlineData("i=2253/children?cursor=-1")]
    [InlineData("i=2253/children?limit=0")]
    [InlineData("i=2253/children?limit=many")]
    public async Task Children_BadPage_400(string path)
    {
        var (http, json) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/nodes/" + path);

        Assert.Equal(400, http);
        Assert.Contains("expected", json.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Search_Words_FindsNodesPageByPage()
    {
        var (status, json) = await RestGateway.GetAsync(
            _gateway.Observer, "/api/v1/search?q=Int16&class=Variable&limit=1");
        var (_, rest) = await RestGateway.GetAsync(
            _gateway.Observer, "/api/v1/search?q=Int16&class=Variable&cursor=" + Text(json, "next"));

        Assert.Equal(200, status);
        Assert.Equal(RestGateway.Int16, Text(json.GetProperty("nodes")[0], "node"));
        Assert.Contains(
            RestGateway.Int16 + "[]", rest.GetProperty("nodes").EnumerateArray().Select(node => Text(node, "node")));
        Assert.DoesNotContain(
            RestGateway.Int16, rest.GetProperty("nodes").EnumerateArray().Select(node => Text(node, "node")));
    }

    /// <summary>As the types of events.</summary>
    [Theory]
    [InlineData("Int16", "i=4")]
    [InlineData("BaseDataVariableType", "i=63")]
    [InlineData("FolderType", "i=61")]
    public async Task Search_TypeByItsName_FindsWhatItsNodeIdFinds(string name, string id)
    {
        var (status, json) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/search?type=" + name);
        var (_, byId) = await RestGateway.GetAsync(
            _gateway.Observer, "/api/v1/search?type=" + Uri.EscapeDataString(id));

        Assert.Equal(200, status);
        Assert.NotEmpty(json.GetProperty("nodes").EnumerateArray());
        Assert.True(JsonElement.DeepEquals(byId, json), json.GetRawText());
    }

    [Fact]
    public async Task Search_PathThatAnAnswerHas_FindsItsNodeFirst()
    {
        var (_, node) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/nodes/ns=2;s=Int16?fields=path");

        var (_, found) = await RestGateway.GetAsync(
            _gateway.Observer, "/api/v1/search?q=" + Uri.EscapeDataString(Text(node, "path")!));

        Assert.Equal(RestGateway.Int16, Text(found.GetProperty("nodes")[0], "node"));
    }

    [Fact]
    public async Task Search_ClassInAnyCase_IsTheClass()
    {
        var (status, json) = await RestGateway.GetAsync(
            _gateway.Observer, "/api/v1/search?q=Add&class=method,VARIABLE&fields=nodeClass");

        Assert.Equal(200, status);
        Assert.Equal("Method", Text(json.GetProperty("nodes")[0], "nodeClass"));
    }

    [Theory]
    [InlineData("", "q: expected")]
    [InlineData("?q=x&class=Thing", "class: expected")]
    [InlineData("?q=x&cursor=9", "cursor: expected")]
    [InlineData("?q=x&class=%2B2", "class: expected")]
    [InlineData("?q=x&class=Unspecified", "class: expected")]
    [InlineData("?q=x&type=Int17", "type: expected the name or the node id of a type")]
    [InlineData("?q=x&type=ns%3D2%3Bs%3DNowhere", "type: there is no such node")]
    public async Task Search_BadQuery_SaysWhat(string query, string detail)
    {
        var (_, json) = await RestGateway.GetAsync(_gateway.Observer, "/api/v1/search" + query);

        Assert.StartsWith(detail, json.GetProperty("detail").GetString(), StringComparison.Ordinal);
    }

    private static string? Text(JsonElement json, string name) => json.GetProperty(name).GetString();
}
