using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(758, 760)]
public readonly partial record struct MonitoredItemModifyResult
{
    public StatusCode StatusCode { get; init; }

    public double RevisedSamplingInterval { get; init; }

    public uint RevisedQueueSize { get; init; }

    public ExtensionObject FilterResult { get; init; }
}
