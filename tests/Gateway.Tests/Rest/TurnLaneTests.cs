using System.Globalization;
using Gateway.Codec.Types;
using Gateway.Sources;
using Gateway.Testing;
using Gateway.Tests.Drivers;

namespace Gateway.Tests.Rest;

/// <summary>Requests of several turns share half of the processors: only as long as they work.</summary>
public sealed class TurnLaneTests
{
    [Fact]
    public async Task Get_PathOfManyTurnsThatWaitsForASource_HoldsUpNoSearch()
    {
        var made = new TaskCompletionSource<LateDriver>();
        await using var gateway = await RestGateway.StartAsync(
            [
                new SourceDriverRegistration("Late", context =>
                {
                    var driver = new LateDriver(context);
                    made.SetResult(driver);
                    return driver;
                }),
            ],
            // Every path and every search needs more than one.
            "--Limits:MaxWorkPerTurn=2", "--Limits:HttpRequestTimeout=00:05:00");
        var waiting = Enumerable.Range(0, Environment.ProcessorCount)
            .Select(_ => RestGateway.GetAsync(gateway.Observer, RestGateway.Query(
                "/api/v1/values", "/Objects/Server/ServerStatus/State", LateDriver.Node)))
            .ToArray();
        var driver = await made.Task;
        for (var i = 0; i < waiting.Length; i++)
            Assert.True(await driver.Asks.WaitAsync(Patience.Limit));

        var (status, json) = await RestGateway.GetAsync(gateway.Observer, "/api/v1/search?q=Int16&limit=1");

        Assert.Equal(200, status);
        Assert.Equal(1, json.GetProperty("nodes").GetArrayLength());
        Assert.All(waiting, static one => Assert.False(one.IsCompleted));
        driver.Answer(new Variant(1.5));
        foreach (var (answered, _) in await Task.WhenAll(waiting))
            Assert.Equal("200", answered.ToString(CultureInfo.InvariantCulture));
    }
}
