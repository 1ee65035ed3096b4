using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(806, 808)]
public readonly partial record struct MonitoredItemNotification
{
    public uint ClientHandle { get; init; }

    public DataValue Value { get; init; }
}
