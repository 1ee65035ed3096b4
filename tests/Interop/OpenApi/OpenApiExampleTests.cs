using System.Text.Json;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.OpenApi;

/// <summary>The documents keep the rules of OpenAPI 3.1 and JSON Schema 2020-12, and every example in them gets the
/// answer that they promise, by validators that others wrote.</summary>
[Collection(OpenApiFixture.Name)]
public sealed class OpenApiExampleTests(OpenApiFixture fixture)
{
    private const int Services = 28;

    [PeerFact(PeerProgram.OpenApi)]
    public async Task Examples_OfTheResourceApi_AnswersFitTheirSchemas()
    {
        JsonElement result = await fixture.RunAsync("examples.mjs");
        AssertNoFailures(result);
        Assert.InRange(
            result.GetProperty("sent").GetArrayLength(), result.GetProperty("operations").GetInt32(), int.MaxValue);
    }

    [PeerFact(PeerProgram.OpenApi)]
    public async Task Examples_OfTheServices_AnswersFitTheirSchemas()
    {
        JsonElement result = await fixture.RunAsync("services.mjs");
        AssertNoFailures(result);
        Assert.Equal(Services, result.GetProperty("sent").GetArrayLength());
    }

    private static void AssertNoFailures(JsonElement result)
    {
        string[] failures = [.. result.GetProperty("failures").EnumerateArray().Select(one => one.GetString()!)];
        Assert.True(failures.Length == 0, string.Join("\n", failures));
    }
}
