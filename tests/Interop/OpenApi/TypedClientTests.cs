using System.Text.Json;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.OpenApi;

/// <summary>A TypeScript client whose types openapi-typescript makes from the documents: it compiles under strict, and
/// works.</summary>
[Collection(OpenApiFixture.Name)]
public sealed class TypedClientTests(OpenApiFixture fixture)
{
    [PeerFact(PeerProgram.OpenApi)]
    public async Task Client_Generated_ReadsWritesAndGetsTypedErrors()
    {
        JsonElement result = await fixture.RunAsync("client.mjs");
        Assert.Equal("Good", result.GetProperty("written").GetString());
        Assert.NotEqual(result.GetProperty("before").ToString(), result.GetProperty("expected").ToString());
        Assert.Equal(result.GetProperty("expected").ToString(), result.GetProperty("after").ToString());
        Assert.Equal("UInt16", result.GetProperty("type").GetString());
        Assert.Equal(400, result.GetProperty("status").GetInt32());
        Assert.Equal("BadNodeIdInvalid", result.GetProperty("statusCode").GetString());
        Assert.Equal("Variable", result.GetProperty("nodeClass").GetString());
        Assert.Equal(result.GetProperty("after").ToString(), result.GetProperty("service").ToString());
    }
}
