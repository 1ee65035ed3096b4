using Gateway.Loadtest.Scenarios.Echo;

namespace Gateway.Loadtest.Tests.Scenarios.Echo;

public sealed class EchoTableTests
{
    [Fact]
    public void NanosecondsAByte_OfTheOutermostPayloads_IsTheSlope() =>
        Assert.Equal(2, EchoTable.NanosecondsAByte([Cell(1_000_000, 2050), Cell(0, 50), Cell(500, 9999)]), 9);

    [Fact]
    public void NanosecondsAByte_LargestRefused_IsOfTheOthers() =>
        Assert.Equal(
            1, EchoTable.NanosecondsAByte([Cell(0, 50), Cell(1000, 51), Cell(9999, 1) with { Refusal = "Bad" }]), 9);

    [Fact]
    public void NanosecondsAByte_OnePayload_IsNotKnown() =>
        Assert.True(double.IsNaN(EchoTable.NanosecondsAByte([Cell(20, 50)])));

    [Fact]
    public void Of_RefusedCell_SaysWhyInsteadOfFigures()
    {
        var table = EchoTable.Of("None", [Cell(2_000_000, 1) with { Refusal = "Bad_RequestTooLarge" }]);

        Assert.Contains("Bad_RequestTooLarge", Assert.Single(table.Rows));
        Assert.All(table.Rows, row => Assert.Equal(table.Columns.Length, row.Length));
    }

    [Fact]
    public void Of_Measured_PutsThePublishedFiguresBeside()
    {
        var row = Assert.Single(EchoTable.Of("None", [Cell(20, 50)]).Rows);

        Assert.Equal("117, 67", row[^1]);
    }

    private static EchoCell Cell(int payload, double medianUs) => new()
    {
        Policy = "None",
        PayloadBytes = payload,
        BatchBytes = 0,
        ChunkBytes = 65536,
        Depth = 1,
        Calls = 10,
        Seconds = 1,
        MedianUs = medianUs,
    };
}
