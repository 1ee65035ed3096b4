using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(740, 742)]
public readonly partial record struct MonitoringParameters
{
    public uint ClientHandle { get; init; }

    public double SamplingInterval { get; init; }

    public ExtensionObject Filter { get; init; }

    public uint QueueSize { get; init; }

    public bool DiscardOldest { get; init; }
}
