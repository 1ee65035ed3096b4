using System.Text.Json;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.Mirror;

/// <summary>The whole address space of an upstream, compared with what the gateway shows of it: nodes, attributes,
/// references and decoded values.</summary>
public sealed class MirrorTests(MirrorFixture fixture) : IClassFixture<MirrorFixture>
{
    /// <summary>DI, IA, Machinery and the server's own model have more.</summary>
    private const int LeastNodes = 700;

    [PeerFact]
    public async Task Mirror_ServerWithAModelOfItsOwn_EqualButForTheExceptions()
    {
        JsonElement result = await PeerProcess.RunAsync("compare.js", PeerArguments.Create(
            fixture.Folder, fixture.Client, fixture.Gateway.EndpointUrl,
            new { upstreamUrl = fixture.Server.EndpointUrl }));

        Assert.True(result.GetProperty("compared").GetInt32() > LeastNodes, result.GetProperty("compared").ToString());
        MirrorExceptions.AssertOnly(
            [.. result.GetProperty("lines").EnumerateArray().Select(line => line.GetString()!)]);
    }
}
