using Gateway.Codec.Types;

namespace Gateway.Sources.Modbus.Blocks;

/// <summary>A good value.</summary>
/// <param name="Value">With its times.</param>
/// <param name="Timestamp">Of the monotonic clock.</param>
internal sealed record TagSample(DataValue Value, long Timestamp);
