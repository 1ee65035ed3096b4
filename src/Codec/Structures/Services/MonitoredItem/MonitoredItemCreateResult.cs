using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(746, 748)]
public readonly partial record struct MonitoredItemCreateResult
{
    public StatusCode StatusCode { get; init; }

    public uint MonitoredItemId { get; init; }

    public double RevisedSamplingInterval { get; init; }

    public uint RevisedQueueSize { get; init; }

    public ExtensionObject FilterResult { get; init; }
}
