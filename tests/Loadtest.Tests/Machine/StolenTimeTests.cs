using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Tests.Machine;

public sealed class StolenTimeTests : IDisposable
{
    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    [Fact]
    public void Share_OneOfFourTicksStolen_IsAQuarter()
    {
        File.WriteAllText(_file, "cpu  10 20 30 40 50 60 70 80 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n");
        var stolen = new StolenTime(_file);
        File.WriteAllText(_file, "cpu  20 20 40 50 50 60 70 90 0 0\n");
        Assert.Equal(0.25, stolen.Share);
        Assert.Equal("25.0 %", stolen.ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("cpu 1 2 3\n")]
    [InlineData("intr 1 2 3 4 5 6 7 8 9\n")]
    public void Share_SystemDoesNotTell_IsNotKnown(string text)
    {
        File.WriteAllText(_file, text);
        Assert.Equal("not known", new StolenTime(_file).ToString());
    }
}
