using Gateway.Codec.Types;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Services;

/// <summary>A Read as the OpenAPI mapping has it, without a session: the user is that of HTTP.</summary>
[Collection(RestFixture.Name)]
public sealed class ReadTests(RestFixture fixture)
{
    private const string ReadOnly =
        """{"RequestHeader":{"RequestHandle":7},"NodesToRead":[{"NodeId":"ns=2;s=ReadOnly","AttributeId":13}]}""";

    private readonly RestGateway _gateway = fixture.Gateway;

    [Fact]
    public async Task Read_WithoutASession_ValueAndItsHeader()
    {
        using var answer = await _gateway.Observer.SendAsync("read", ReadOnly);
        var json = await RestGateway.JsonOf(answer);

        Assert.Equal(200, (int)answer.StatusCode);
        Assert.Equal("application/json; encoding=compact", answer.Content.Headers.ContentType!.ToString());
        Assert.Equal(7u, json.GetProperty("ResponseHeader").GetProperty("RequestHandle").GetUInt32());
        Assert.Equal(0u, json.ResultOf());
        var value = Assert.Single(json.GetProperty("Results").EnumerateArray());
        Assert.Equal((int)BuiltInType.Int32, value.GetProperty("UaType").GetInt32());
        Assert.Equal(42, value.GetProperty("Value").GetInt32());
        Assert.Equal(0u, value.CodeOf("Status"));
    }

    [Theory]
    [InlineData("compact", "\"UaType\":6,\"Value\":42")]
    [InlineData("verbose", "\"UaType\":6,\"Value\":42")]
    [InlineData("reversible", "\"Value\":{\"Type\":6,\"Body\":42}")]
    [InlineData("nonreversible", "\"Results\":[{\"Value\":42")]
    public async Task Read_EncodingAskedFor_AnsweredInIt(string encoding, string part)
    {
        var type = "application/json; encoding=" + encoding;
        using var byContent = await _gateway.Observer.SendAsync("read", ReadOnly, type);
        using var byAccept = await _gateway.Observer.SendAsync(
            "read", ReadOnly, "application/json; encoding=verbose", "text/csv, " + type);

        foreach (var answer in new[] { byContent, byAccept })
        {
            Assert.Equal(type, answer.Content.Headers.ContentType!.ToString());
            Assert.Contains(part, await answer.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        }
    }

    /// <summary>All types at once: what UA-TCP sends is what JSON says.</summary>
    [Fact]
    public async Task Read_EveryBuiltInType_GoodInEveryEncoding()
    {
        var names = Enum.GetNames<BuiltInType>().Skip(1).Take((int)BuiltInType.LocalizedText);
        var nodes = string.Join(',', names.SelectMany(
            static name => new[] { name, name + "[]" },
            static (_, name) => $$"""{"NodeId":"ns=2;s={{name}}","AttributeId":13}"""));

        foreach (var encoding in new[] { "compact", "verbose", "reversible", "nonreversible" })
        {
            using var answer = await _gateway.Observer.SendAsync(
                "read", $$"""{"NodesToRead":[{{nodes}}]}""", "application/json; encoding=" + encoding);
            var json = await RestGateway.JsonOf(answer);

            Assert.Equal(200, (int)answer.StatusCode);
            Assert.Equal(names.Count() * 2, json.GetProperty("Results").GetArrayLength());
            Assert.DoesNotContain($"{StatusCodes.BadNodeIdUnknown}", json.ToString(), StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("", 400, StatusCodes.BadDecodingError)]
    [InlineData("{", 400, StatusCodes.BadDecodingError)]
    [InlineData("[]", 400, StatusCodes.BadDecodingError)]
    [InlineData("{}{}", 400, StatusCodes.BadDecodingError)]
    [InlineData("""{"NodesToRead":[{"NodeId":7}]}""", 400, StatusCodes.BadDecodingError)]
    [InlineData("""{"NodesToRead":[{"NodeId":"ns=2;x=1"}]}""", 400, StatusCodes.BadDecodingError)]
    [InlineData("""{"MaxAge":"NaN","NodesToRead":[{"NodeId":"i=1"}]}""", 200, StatusCodes.BadMaxAgeInvalid)]
    [InlineData("""{"MaxAge":-1,"NodesToRead":[{"NodeId":"i=1"}]}""", 200, StatusCodes.BadMaxAgeInvalid)]
    [InlineData("""{"TimestampsToReturn":9,"NodesToRead":[{"NodeId":"i=1"}]}""", 200,
        StatusCodes.BadTimestampsToReturnInvalid)]
    [InlineData("{}", 200, StatusCodes.BadNothingToDo)]
    [InlineData("null", 200, StatusCodes.BadNothingToDo)]
    [InlineData("""{"NodesToRead":[]}""", 200, StatusCodes.BadNothingToDo)]
    [InlineData("""{"RequestHeader":{"AuthenticationToken":"s=stolen"},"NodesToRead":[{}]}""", 200,
        StatusCodes.BadSessionIdInvalid)]
    [InlineData(
        """{"RequestHeader":{"AuthenticationToken":"g=72962b91-fa75-4ae6-8d28-b404dc7daf63"},"NodesToRead":[{}]}""",
        200, StatusCodes.BadSessionIdInvalid)]
    public async Task Read_BadInput_ServiceFaultWithItsStatus(string body, int http, uint status)
    {
        var (told, json) = await _gateway.Observer.CallAsync("read", body);

        Assert.Equal(http, told);
        Assert.Equal(status, json.ResultOf());
        Assert.Equal(["ResponseHeader"], json.EnumerateObject().Select(static member => member.Name));
    }

    [Fact]
    public async Task Read_WrongMember_FaultSaysWhere()
    {
        var (_, json) = await _gateway.Observer.CallAsync(
            "read", """{"NodesToRead":[{"NodeId":"i=1"},{"AttributeId":"Value"}]}""");

        Assert.Contains(
            "$.NodesToRead[1].AttributeId",
            json.GetProperty("ResponseHeader").GetProperty("ServiceDiagnostics").GetProperty("AdditionalInfo")
                .GetString(),
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task Read_TooManyNodes_Refused()
    {
        var nodes = string.Join(',', Enumerable.Repeat("{}", 10_001));

        var (http, json) = await _gateway.Observer.CallAsync("read", $$"""{"NodesToRead":[{{nodes}}]}""");

        Assert.Equal((200, StatusCodes.BadTooManyOperations), (http, json.ResultOf()));
    }

    [Fact]
    public async Task Read_TooDeep_Refused()
    {
        var deep = string.Concat(Enumerable.Repeat("""{"UaType":24,"Value":[""", 1000));

        var (http, json) = await _gateway.Observer.CallAsync(
            "write", """{"NodesToWrite":[{"NodeId":"i=1","AttributeId":13,"Value":""" + deep);

        Assert.Contains(http, new[] { 400, 413 });
        Assert.NotEqual(0u, json.ResultOf());
    }

    /// <summary>The clients made from the OPC Foundation's OpenAPI document see no other name.</summary>
    [Theory]
    [InlineData("/opcua/read", "Status", "StatusCode")]
    [InlineData("/opcua-openapi/read", "StatusCode", "Status")]
    public async Task Read_UnknownNode_StatusByTheNameOfTheDoor(string path, string name, string otherName)
    {
        var (http, json) = await RestGateway.SendAsync(
            _gateway.Observer, HttpMethod.Post, path, """{"NodesToRead":[{"NodeId":"i=999999","AttributeId":13}]}""");

        var result = json.GetProperty("Results")[0];
        Assert.Equal(200, http);
        Assert.Equal(StatusCodes.BadNodeIdUnknown, result.GetProperty(name).GetProperty("Code").GetUInt32());
        Assert.False(result.TryGetProperty(otherName, out _));
    }

    [Theory]
    [InlineData("http://opcfoundation.org/UA/SecurityPolicy#None", 200, StatusCodes.Good)]
    [InlineData(
        "http://opcfoundation.org/UA/SecurityPolicy#Basic256Sha256", 400, StatusCodes.BadSecurityPolicyRejected)]
    public async Task Read_SecurityPolicyHeader_NoneAlone(string policy, int http, uint result)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, "/opcua/read");
        request.Content = new StringContent(ReadOnly, System.Text.Encoding.UTF8, "application/json");
        request.Headers.Add("OPCUA-SecurityPolicy", policy);
        using var answer = await _gateway.Observer.SendAsync(request);

        Assert.Equal(http, (int)answer.StatusCode);
        Assert.Equal(result, (await RestGateway.JsonOf(answer)).ResultOf());
    }

    [Theory]
    [InlineData("gzip", 200)]
    [InlineData("GZIP", 200)]
    [InlineData("x-gzip", 200)]
    [InlineData("br", 200)]
    [InlineData("zstd", 415)]
    public async Task Read_CompressedBody_IsReadOrSaidToBeUnknown(string encoding, int http)
    {
        using var compressed = new MemoryStream();
        await using (Stream stream = encoding == "br"
            ? new System.IO.Compression.BrotliStream(compressed, System.IO.Compression.CompressionLevel.Fastest, true)
            : new System.IO.Compression.GZipStream(compressed, System.IO.Compression.CompressionLevel.Fastest, true))
        {
            await stream.WriteAsync(System.Text.Encoding.UTF8.GetBytes(ReadOnly));
        }

        using var answer = await SendCompressedAsync(encoding, compressed.ToArray());

        Assert.Equal(http, (int)answer.StatusCode);
    }

    [Fact]
    public async Task Read_CompressedBodyThatIsNone_DecodingError()
    {
        using var answer = await SendCompressedAsync("gzip", System.Text.Encoding.UTF8.GetBytes(ReadOnly));

        Assert.Equal(400, (int)answer.StatusCode);
    }

    /// <summary>A small body that becomes a large one: bounded by what it becomes (R02).</summary>
    [Fact]
    public async Task Read_CompressedBodyThatGrowsBeyondTheLimit_TooLarge()
    {
        using var compressed = new MemoryStream();
        await using (var stream = new System.IO.Compression.GZipStream(
            compressed, System.IO.Compression.CompressionLevel.SmallestSize, leaveOpen: true))
        {
            await stream.WriteAsync(new byte[100_000_000]);
        }

        using var answer = await SendCompressedAsync("gzip", compressed.ToArray());

        Assert.Equal(413, (int)answer.StatusCode);
    }

    [Theory]
    [InlineData("text/plain", null, 415)]
    [InlineData("application/json; charset=latin1", null, 415)]
    [InlineData("application/json; encoding=xml", null, 415)]
    [InlineData("application/json", "text/csv", 406)]
    [InlineData("application/json", "application/json; encoding=xml", 406)]
    [InlineData("application/json", "application/json; q=0", 406)]
    public async Task Read_NoEncodingInCommon_ServiceFault(string contentType, string? accept, int http)
    {
        using var answer = await _gateway.Observer.SendAsync("read", ReadOnly, contentType, accept);
        var json = await RestGateway.JsonOf(answer);

        Assert.Equal(http, (int)answer.StatusCode);
        Assert.Equal(StatusCodes.BadDataEncodingUnsupported, json.ResultOf());
    }

    [Theory]
    [InlineData("historyread")]
    [InlineData("historyupdate")]
    public async Task ServiceThatTheGatewayDoesNotHave_Unsupported(string service)
    {
        var (http, json) = await _gateway.Observer.CallAsync(service, """{"RequestHeader":{"RequestHandle":3}}""");

        Assert.Equal((200, StatusCodes.BadServiceUnsupported), (http, json.ResultOf()));
        Assert.Equal(3u, json.GetProperty("ResponseHeader").GetProperty("RequestHandle").GetUInt32());
    }

    private async Task<HttpResponseMessage> SendCompressedAsync(string encoding, byte[] body)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, "/opcua/read");
        request.Content = new ByteArrayContent(body);
        request.Content.Headers.Add("Content-Type", "application/json");
        request.Content.Headers.Add("Content-Encoding", encoding);
        return await _gateway.Observer.SendAsync(request);
    }

    [Theory]
    [InlineData("addnodes", 404)]
    [InlineData("queryfirst", 404)]
    public async Task PathThatTheMappingDoesNotHave_NotFound(string service, int http)
    {
        using var answer = await _gateway.Observer.SendAsync(service, "{}");

        Assert.Equal(http, (int)answer.StatusCode);
    }

    [Fact]
    public async Task Read_WrongPassword_NotAsked()
    {
        using var client = new HttpClient { BaseAddress = _gateway.Host.Client.BaseAddress };
        client.DefaultRequestHeaders.Add("Authorization", "Basic bm9ib2R5Om5vYm9keQ==");

        using var answer = await client.SendAsync("read", ReadOnly);

        Assert.Equal(401, (int)answer.StatusCode);
    }
}
