using Gateway.Sources.Modbus.Blocks;
using Gateway.Sources.Modbus.Options;

namespace Gateway.Sources.Modbus.Tests.Blocks;

public sealed class BlockPlanTests
{
    [Fact]
    public void Make_TagsSideBySide_AreOneRequest() =>
        Assert.Equal([(0, 4)], Blocks(8, Register(0), Register(1, ModbusType.Float), Register(3)));

    [Theory]
    [InlineData(9, 1)]
    [InlineData(10, 2)]
    public void Make_AGap_IsReadAlongUpToMaxGap(int address, int requests) =>
        Assert.Equal(requests, Blocks(8, Register(0), Register(address)).Length);

    [Fact]
    public void Make_MoreThanOneRequestTakes_IsTwo() => Assert.Equal(
        [(0, 125), (125, 5)], Blocks(0, [.. Enumerable.Range(0, 130).Select(static at => Register(at))]));

    /// <summary>A value is never cut.</summary>
    [Fact]
    public void Make_ALongValueAtTheEnd_BeginsTheNextRequest() => Assert.Equal(
        [(0, 124), (124, 2)],
        Blocks(0, [.. Enumerable.Range(0, 124).Select(static at => Register(at)), Register(124, ModbusType.Float)]));

    [Fact]
    public void Make_OverlappingTags_AreReadOnce() => Assert.Equal(
        [(10, 4)],
        Blocks(0, Register(11), Register(10, ModbusType.Double), Register(10), Register(10, ModbusType.Float)));

    [Fact]
    public void Make_Bits_AreSixteenTimesAsMany() => Assert.Equal(
        [(0, 2000), (2000, 1)],
        Blocks(8, [.. Enumerable.Range(0, 2001).Select(static at => Bit(at))]));

    [Fact]
    public void Make_OtherTablesAndUnits_AreOtherRequests() => Assert.Equal(
        4,
        Blocks(
            8, Register(0), Bit(0), Register(0) with { Table = ModbusTable.Input }, Register(1) with { UnitId = 2 })
            .Length);

    private static (int Address, int Count)[] Blocks(int maxGap, params ModbusTag[] tags)
    {
        var served = tags.Order(Comparer<ModbusTag>.Create(BlockPlan.Compare))
            .Select(static (tag, rank) => (new ServedTag(tag, rank), rank)).Reverse().ToList();
        var blocks = new BlockPlan(125, maxGap).Make(served).ToList();
        Assert.Equal(tags.Length, blocks.Sum(static one => one.Tags.Count));
        return [.. blocks.Select(static one => (one.Address, one.Count))];
    }

    private static ModbusTag Register(int address, ModbusType type = ModbusType.UInt16) =>
        new() { Name = $"{address}{type}", Address = address, Type = type };

    private static ModbusTag Bit(int address) =>
        new() { Name = $"{address}", Table = ModbusTable.Coil, Address = address, Type = ModbusType.Boolean };
}
