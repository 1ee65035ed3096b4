using Gateway.Codec.Types;
using Gateway.Sources;
using Gateway.Tests.Drivers;

namespace Gateway.Tests.Rest;

/// <summary>A value that its source has to be asked for.</summary>
public sealed class LateSourceTests
{
    [Fact]
    public async Task Get_ASourceThatAnswersLater_TheValueThatItAnswers()
    {
        var driver = new TaskCompletionSource<LateDriver>();
        await using var gateway = await RestGateway.StartAsync([Registration(driver)]);

        var answer = RestGateway.GetAsync(gateway.Observer, RestGateway.Query("/api/v1/values", LateDriver.Node));
        await (await driver.Task).Asked;
        Assert.False(answer.IsCompleted);
        (await driver.Task).Answer(new Variant(12.5));

        var (status, json) = await answer;
        Assert.Equal(200, status);
        Assert.Equal(12.5, json.GetProperty("values")[0].GetProperty("value").GetDouble());
    }

    [Fact]
    public async Task Get_ASourceThatDoesNotAnswer_504AtHttpRequestTimeout()
    {
        var driver = new TaskCompletionSource<LateDriver>();
        await using var gateway = await RestGateway.StartAsync(
            [Registration(driver)], "--Limits:HttpRequestTimeout=00:00:01");

        var (status, json) = await RestGateway.GetAsync(
            gateway.Observer, RestGateway.Query("/api/v1/values", LateDriver.Node));

        Assert.Equal(504, status);
        Assert.Equal("BadTimeout", json.GetProperty("statusCode").GetString());
    }

    private static SourceDriverRegistration Registration(TaskCompletionSource<LateDriver> made) => new(
        "Late",
        context =>
        {
            var driver = new LateDriver(context);
            made.SetResult(driver);
            return driver;
        });
}
