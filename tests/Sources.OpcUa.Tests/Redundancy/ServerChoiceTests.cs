using Gateway.Sources.OpcUa.Redundancy;

namespace Gateway.Sources.OpcUa.Tests.Redundancy;

/// <summary>Source: Part 4 §6.6.2.4.2.</summary>
public sealed class ServerChoiceTests
{
    [Theory]
    [InlineData(1, 0, true)]
    [InlineData(51, 50, true)]
    [InlineData(200, 199, true)]
    [InlineData(255, 200, false)]
    [InlineData(50, 51, false)]
    [InlineData(255, -1, false)]
    [InlineData(-1, 0, false)]
    [InlineData(-1, -1, false)]
    public void IsBetter_EachClass_UnknownIsNeitherBetterNorWorse(int level, int than, bool expected) =>
        Assert.Equal(expected, ServerChoice.IsBetter(Level(level), Level(than)));

    [Theory]
    [InlineData(0, 200, 255)]
    [InlineData(1, 100, 150)]
    [InlineData(0, -1, 255)]
    [InlineData(2, 1, -1, 255)]
    [InlineData(0, 1, -1)]
    [InlineData(1, 0, 50, 50)]
    public void Best_SomeServers_TheFirstToWhichNoneIsPreferred(int expected, params int[] levels)
    {
        var servers = levels.Select(static (level, at) => new Server(at, Level(level))).ToList();

        Assert.Equal(expected, ServerChoice.Best(servers, static one => one.ServiceLevel)!.At);
    }

    [Fact]
    public void Best_None_Null() =>
        Assert.Null(ServerChoice.Best(Array.Empty<Server>(), static one => one.ServiceLevel));

    private static byte? Level(int level) => level < 0 ? null : (byte)level;

    private sealed record Server(int At, byte? ServiceLevel);
}
