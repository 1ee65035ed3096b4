using System.Text.Json;
using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>Events of the gateway, as node-opcua's client gets them.</summary>
public sealed class EventTests(UpstreamFixture fixture) : IClassFixture<UpstreamFixture>
{
    [PeerFact]
    public async Task Watch_UpstreamLostAndBack_ItsNotifiersAndTheServerSaySo()
    {
        await using PeerProcess watcher = PeerProcess.Start("events.js", PeerArguments.Create(
            fixture.Folder, fixture.Client, fixture.Gateway.EndpointUrl, new { name = "First", other = "Second" }));
        await watcher.WaitForAsync("watching");

        await fixture.First.KillAsync();
        await watcher.WaitForAsync("lost");
        await fixture.First.StartAsync();
        JsonElement result = await watcher.ResultAsync();

        Assert.True(result.GetProperty("isSame").GetBoolean(), result.GetRawText());
        Assert.Equal(result.GetProperty("expected").GetString(), result.GetProperty("sourceNode").GetString());
        Assert.Equal(700, result.GetProperty("severity").GetInt32());
        Assert.StartsWith("First is away", result.GetProperty("message").GetString());
        Assert.True(result.GetProperty("hasTimes").GetBoolean(), result.GetRawText());
        Assert.True(result.GetProperty("isChosen").GetBoolean(), result.GetRawText());
        Assert.Equal(
            ["Good", "BadTypeDefinitionInvalid"],
            result.GetProperty("codes").EnumerateArray().TakeLast(2).Select(one => one.GetString()));
        Assert.Equal(0, result.GetProperty("others").GetInt32());
        Assert.True(result.GetProperty("onlyFailures").GetBoolean(), result.GetRawText());
    }
}
