using Gateway.Sources.Modbus.Options;

namespace Gateway.Sources.Modbus.Blocks;

/// <summary>Puts tags together that one request can read.</summary>
/// <param name="maxRegisters">Of one request.</param>
/// <param name="maxGap">Unused registers that may be read along between two tags.</param>
internal sealed class BlockPlan(int maxRegisters, int maxGap)
{
    /// <summary>So many bits are as long as a register.</summary>
    private const int BitsPerRegister = 16;

    /// <param name="tags">A tag and the place of its result; put into order.</param>
    public IEnumerable<ReadBlock> Make(List<(ServedTag Tag, int Place)> tags)
    {
        tags.Sort(static (one, other) => one.Tag.Rank.CompareTo(other.Tag.Rank));
        for (var start = 0; start < tags.Count;)
        {
            var first = tags[start].Tag.Tag;
            var (end, next) = (first.Address + first.Count, start + 1);
            while (next < tags.Count && Fits(first, end, tags[next].Tag))
            {
                end = Math.Max(end, tags[next].Tag.Tag.Address + tags[next].Tag.Tag.Count);
                next++;
            }

            var members = tags[start..next];
            yield return new ReadBlock(
                [.. members.Select(static one => one.Tag)], [.. members.Select(static one => one.Place)],
                end - first.Address);
            start = next;
        }
    }

    /// <summary>By unit, table and address, and the longest of one address first.</summary>
    public static int Compare(ModbusTag one, ModbusTag other) =>
        (one.UnitId, one.Table, one.Address, -one.Count).CompareTo(
            (other.UnitId, other.Table, other.Address, -other.Count));

    private bool Fits(ModbusTag first, int end, ServedTag next)
    {
        var tag = next.Tag;
        var unit = tag.IsOfBits ? BitsPerRegister : 1;
        return !next.IsBlockStart && tag.UnitId == first.UnitId && tag.Table == first.Table &&
            tag.Address - end <= maxGap * unit &&
            Math.Max(end, tag.Address + tag.Count) - first.Address <= maxRegisters * unit;
    }
}
