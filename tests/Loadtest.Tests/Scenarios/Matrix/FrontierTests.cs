using Gateway.Loadtest.Scenarios.Matrix;

namespace Gateway.Loadtest.Tests.Scenarios.Matrix;

public sealed class FrontierTests
{
    private readonly Frontier _frontier = new([10, 1, 100], [1, 5], [1, 10]);

    [Fact]
    public void CellsOf_ARow_StepsUpInSessions() =>
        Assert.Equal([1, 10, 100], _frontier.CellsOf(1, 10).Select(cell => cell.Sessions));

    [Fact]
    public void Rows_All_FromTheLeastLoad() =>
        Assert.Equal([(1, 1), (1, 10), (5, 1), (5, 10)], _frontier.Rows());

    [Fact]
    public void IsOpen_BeyondACellThatGave_IsNot()
    {
        _frontier.Add(new MatrixCell(10, 1, 10), GaveWay.Lateness, "late");

        Assert.False(_frontier.IsOpen(new MatrixCell(10, 1, 10)));
        Assert.False(_frontier.IsOpen(new MatrixCell(100, 1, 10)));
        Assert.False(_frontier.IsOpen(new MatrixCell(10, 5, 10)));
        Assert.True(_frontier.IsOpen(new MatrixCell(1, 5, 10)));
        Assert.True(_frontier.IsOpen(new MatrixCell(100, 5, 1)));
    }

    [Fact]
    public void Border_ARowThatGave_NamesTheLastThatHeldAndTheFirstThatDidNot()
    {
        _frontier.Add(new MatrixCell(1, 1, 1), GaveWay.Nothing, "held");
        _frontier.Add(new MatrixCell(10, 1, 1), GaveWay.Nothing, "held");
        _frontier.Add(new MatrixCell(100, 1, 1), GaveWay.Refusal, "Bad_TooManySessions");

        Assert.Equal(10, _frontier.LastThatHeld(1, 1)?.Sessions);
        var gave = _frontier.FirstThatGave(1, 1);
        Assert.Equal((100, GaveWay.Refusal), (gave?.Cell.Sessions, gave?.Gave));
        Assert.Equal("Bad_TooManySessions", gave?.Why);
    }

    [Fact]
    public void FirstThatGave_ARowThatWasNotTried_NamesTheCellThatItLiesBeyond()
    {
        _frontier.Add(new MatrixCell(1, 1, 10), GaveWay.ServerCpu, "CPU");

        Assert.Null(_frontier.LastThatHeld(5, 10));
        Assert.Equal(new MatrixCell(1, 1, 10), _frontier.FirstThatGave(5, 10)?.Cell);
    }

    [Fact]
    public void FirstThatGave_ARowThatHeld_IsNone()
    {
        foreach (var cell in _frontier.CellsOf(1, 1))
            _frontier.Add(cell, GaveWay.Nothing, "held");

        Assert.Null(_frontier.FirstThatGave(1, 1));
        Assert.Equal(100, _frontier.LastThatHeld(1, 1)?.Sessions);
    }
}
