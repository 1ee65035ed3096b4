using Gateway.AddressSpace.Nodes;
using Gateway.Sources.Modbus.Options;

namespace Gateway.Sources.Modbus.Blocks;

/// <summary>A tag with its node and the last value that was read of it. Threads: any.</summary>
/// <param name="tag">As configured.</param>
/// <param name="rank">Its place among all tags of the device, by unit, table and address.</param>
internal sealed class ServedTag(ModbusTag tag, int rank)
{
    private volatile TagSample? _last;
    private volatile bool _isBlockStart;

    public ModbusTag Tag => tag;

    public int Rank => rank;

    public NodeHandle Node { get; set; }

    /// <summary>The device refused to read it in one request with those before it: a hole in its table lies between.
    /// </summary>
    public bool IsBlockStart { get => _isBlockStart; set => _isBlockStart = value; }

    /// <summary>Null: none, or it was written since.</summary>
    public TagSample? Last { get => _last; set => _last = value; }
}
