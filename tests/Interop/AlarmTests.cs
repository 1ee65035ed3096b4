using System.Text.Json;
using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>Alarms of the gateway, as two of node-opcua's clients find and answer them. Source: Part 9 §4.5, §5.5 to
/// §5.8.</summary>
public sealed class AlarmTests(UpstreamFixture fixture) : IClassFixture<UpstreamFixture>
{
    [PeerFact]
    public async Task Alarm_UpstreamLostAndBack_IsFoundAnsweredAndOver()
    {
        await using PeerProcess clients = PeerProcess.Start("alarms.js", PeerArguments.Create(
            fixture.Folder, fixture.Client, fixture.Gateway.EndpointUrl, new { name = "First" }));
        await clients.WaitForAsync("watching");
        await fixture.First.KillAsync();
        await clients.WaitForAsync("answered");
        await fixture.First.StartAsync();
        JsonElement result = await clients.ResultAsync();

        string Text(string name) => result.GetProperty(name).ToString();
        Assert.Equal("ns=1;s=Alarms/source/First", Text("id"));
        Assert.Equal("ns=0;i=11753", Text("type"));
        Assert.Equal(700, result.GetProperty("severity").GetInt32());
        Assert.Equal(
            ["ns=0;i=2787", "ns=0;i=2788"],
            result.GetProperty("bracket").EnumerateArray().Select(one => one.GetString()));
        Assert.Equal(
            ["BadConditionBranchAlreadyAcked", "Good"],
            result.GetProperty("acknowledge").EnumerateArray().Select(one => one.GetString()));
        Assert.All(
            ["refresh", "shelve", "unshelve", "addComment", "confirm", "refreshAgain"],
            name => Assert.Equal("Good", Text(name)));
        Assert.All(
            ["retain", "found", "comment", "unconfirmed", "over", "gone"],
            name => Assert.True(result.GetProperty(name).GetBoolean(), $"{name}: {result.GetRawText()}"));
        Assert.False(result.GetProperty("acked").GetBoolean());
        Assert.False(result.GetProperty("foreign").GetBoolean());
        Assert.Equal("BadSubscriptionIdInvalid", Text("foreignSubscription"));
        Assert.Equal("BadEventIdUnknown", Text("unknown"));
        Assert.Equal("TimedShelved", Text("shelved"));
        Assert.Equal("BadConditionAlreadyShelved", Text("shelveAgain"));
        Assert.Equal("BadConditionNotShelved", Text("unshelveAgain"));
    }
}
