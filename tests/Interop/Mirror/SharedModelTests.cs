using System.Text.Json;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.Mirror;

/// <summary>Two upstreams with the same companion models: each type is there once, each instance at its server.
/// </summary>
public sealed class SharedModelTests(SharedModelFixture fixture) : IClassFixture<SharedModelFixture>
{
    private const string Di = "http://opcfoundation.org/UA/DI/";
    private const string Machinery = "http://opcfoundation.org/UA/Machinery/";

    private static readonly string[] Models =
        [Di, Machinery, "http://opcfoundation.org/UA/IA/", "urn:interop:pumps", "urn:interop:mixers"];

    [PeerTheory]
    [InlineData("One")]
    [InlineData("Two")]
    public async Task Mirror_ModelsInCommon_EachUpstreamEqualButForTheExceptions(string name)
    {
        JsonElement result = await PeerProcess.RunAsync("compare.js", PeerArguments.Create(
            fixture.Folder, fixture.Client, fixture.Gateway.EndpointUrl, new
            {
                upstreamUrl = fixture.Servers[name].EndpointUrl,
                moved = name == "One" ? [] : new[] { Di, Machinery }.ToDictionary(
                    uri => uri, uri => $"urn:gateway:{name}:{uri}"),
                shared = Models,
            }));

        MirrorExceptions.AssertOnly(
            [.. result.GetProperty("lines").EnumerateArray().Select(line => line.GetString()!)]);
    }

    [PeerFact]
    public async Task Translate_CompanionNames_LeadToEachUpstreamsOwnDevice()
    {
        JsonElement results = await PeerProcess.RunAsync("companion.js", PeerArguments.Create(
            fixture.Folder, fixture.Client, fixture.Gateway.EndpointUrl, new
            {
                paths = SharedModelFixture.Names.Select(name => new
                {
                    start = new { uri = "urn:gateway:upstreams", id = "s=" + name },
                    names = new[]
                    {
                        new { uri = Di, name = "DeviceSet" },
                        new { uri = "urn:interop:" + name, name = name + "Device" },
                        new { uri = Di, name = "SerialNumber" },
                    },
                }),
            }));

        Assert.Equal(
            SharedModelFixture.Names.Select(name => ("Good", 1, (string?)name)),
            results.EnumerateArray().Select(one => (
                one.GetProperty("status").GetString()!, one.GetProperty("count").GetInt32(),
                one.GetProperty("value").GetString())));
    }

    [PeerTheory]
    [InlineData("One")]
    [InlineData("Two")]
    public async Task Structure_WithIdsInside_NamesTheSameNodesOnBothSides(string name)
    {
        JsonElement result = await PeerProcess.RunAsync("structures.js", PeerArguments.Create(
            fixture.Folder, fixture.Client, fixture.Gateway.EndpointUrl, new
            {
                upstreamUrl = fixture.Servers[name].EndpointUrl,
                plantUri = SharedModelFixture.PlantUri(name),
                ownUri = "urn:interop:" + name,
            }));

        Assert.Equal("Good", result.GetProperty("written").GetString());
        string link = result.GetProperty("link").GetRawText();
        Assert.Equal(link, result.GetProperty("direct").GetRawText());
        Assert.Contains($"\"target\":\"urn:interop:{name} Mixer2\"", link, StringComparison.Ordinal);
        Assert.Contains("\"name\":\"urn:interop:mixers there\"", link, StringComparison.Ordinal);
        // By the type's method, which both servers have in common: it runs on the object's server, and tells all.
        Assert.Equal("""["Good"]""", result.GetProperty("good").GetRawText());
        Assert.Equal("""["BadInvalidArgument","BadOutOfRange"]""", result.GetProperty("bad").GetRawText());
    }
}
