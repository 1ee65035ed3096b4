using Gateway.Loadtest.Observers;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Tests.Scenarios.Abuse;

public sealed class NewcomerCheckTests
{
    [Fact]
    public void CountLate_InTimeLateAndNever_TheLatterTwo()
    {
        Newcomer[] newcomers =
            [new(0, 1000, 1, ""), new(1, 1000.5, 1, ""), new(2, double.NaN, 3, "refused"), new(3, 5, 1, "")];

        Assert.Equal(2, NewcomerCheck.CountLate(newcomers, 1000));
    }

    [Theory]
    [InlineData("fairness", "--abuser nobody")]
    [InlineData("exhaust", "--flood nothing")]
    [InlineData("exhaust", "--live 200 --max-sessions 300")]
    public async Task Command_WrongOptions_NothingIsRun(string scenario, string options)
    {
        using var output = new StringWriter();

        var code = await CommandLine.Build(output)
            .Parse([scenario, .. options.Split(' '), "--url", "opc.tcp://127.0.0.1:1"]).InvokeAsync();

        Assert.Equal(2, code);
        Assert.Contains("--", output.ToString(), StringComparison.Ordinal);
    }
}
