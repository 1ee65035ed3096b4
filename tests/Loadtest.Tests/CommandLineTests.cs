namespace Gateway.Loadtest.Tests;

public sealed class CommandLineTests : IDisposable
{
    private readonly StringWriter _output = new();

    public void Dispose() => _output.Dispose();

    [Fact]
    public void Build_EveryScenario_HasHelpWithDefaults()
    {
        foreach (var scenario in ScenarioList.All)
        {
            using var text = new StringWriter();
            var parsed = CommandLine.Build(_output).Parse([scenario.Name, "--help"]);
            parsed.InvocationConfiguration.Output = text;

            Assert.Equal(0, parsed.Invoke());
            Assert.Contains(scenario.Summary, text.ToString(), StringComparison.Ordinal);
            foreach (var option in scenario.Options)
                Assert.Contains(option.Name, text.ToString(), StringComparison.Ordinal);
            Assert.Contains("[default: Basic256Sha256]", text.ToString(), StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("sessions --sessions 0")]
    [InlineData("sessions --sessions many")]
    [InlineData("sessions --interval -5")]
    [InlineData("changes --direction sideways")]
    [InlineData("read --tapes 5")]
    [InlineData("nothing")]
    public void Parse_WrongOption_IsAnError(string line) =>
        Assert.NotEmpty(CommandLine.Build(_output).Parse(line.Split(' ')).Errors);

    [Theory]
    [InlineData("read --url http://localhost:4840", "opc.tcp")]
    [InlineData("read --url opc.tcp://plant.example:4840", "--remote")]
    [InlineData("read --url opc.tcp://localhost:4840 --policy Rot13", "--policy")]
    [InlineData("read --url opc.tcp://localhost:4840 --mode None", "--mode None")]
    [InlineData("read --url opc.tcp://localhost:4840 --concurrency 0", "--concurrency")]
    [InlineData("read --gateway nowhere.dll", "no gateway")]
    [InlineData("capacity --url opc.tcp://localhost:4840", "--url")]
    [InlineData("sessions --url opc.tcp://localhost:4840 --steps 5,x", "--steps")]
    public async Task Invoke_WrongTogether_SaysWhatAndMeasuresNothing(string line, string word)
    {
        var code = await CommandLine.Build(_output).Parse(line.Split(' ')).InvokeAsync();

        Assert.Equal(2, code);
        Assert.Contains(word, _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Get_Option_IsTheCommandsOrItsDefault()
    {
        var option = new System.CommandLine.Option<int>("--sessions") { DefaultValueFactory = _ => 77 };
        var other = new System.CommandLine.Option<int>("--other") { DefaultValueFactory = _ => 5 };
        var values = new ScenarioValues(CommandLine.Build(_output).Parse(["sessions", "--sessions", "12"]));

        Assert.Equal(12, values.Get(option));
        Assert.Equal(5, values.Get(other));
        Assert.Equal(3, values.With(option, 3).Get(option));
        Assert.Equal("12", values.Text(option));
    }
}
