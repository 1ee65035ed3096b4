using Gateway.Loadtest.Terminal;
using Gateway.Testing;

namespace Gateway.Loadtest.Tests.Terminal;

public sealed class ProgressLineTests : IDisposable
{
    private readonly ManualTimeProvider _time = new();
    private readonly StringWriter _output = new();

    public void Dispose() => _output.Dispose();

    [Fact]
    public void Begin_NoTerminal_WritesLinesEveryFiveSeconds()
    {
        long done = 0;
        using var progress = new ProgressLine(_output, isTerminal: false, _time);
        progress.Begin("opening", 100, () => done);
        done = 40;

        _time.Advance(TimeSpan.FromSeconds(5));

        Assert.Equal(["opening: 0 of 100, 0 s", "opening: 40 of 100, 5 s"], Lines());
    }

    [Fact]
    public void Begin_Terminal_WritesOverTheSameLine()
    {
        using var progress = new ProgressLine(_output, isTerminal: true, _time);
        progress.Begin("a long phase");

        progress.Begin("short");
        progress.Clear();

        Assert.DoesNotContain('\n', _output.ToString());
        Assert.Equal("\ra long phase\rshort       \r     \r", _output.ToString());
    }

    [Fact]
    public void Clear_Done_TheTimerIsSilent()
    {
        using var progress = new ProgressLine(_output, isTerminal: false, _time);
        progress.Begin("opening");
        progress.Clear();
        var before = _output.ToString();

        _time.Advance(TimeSpan.FromSeconds(60));

        Assert.Equal(before, _output.ToString());
    }

    private string[] Lines() => _output.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries);
}
