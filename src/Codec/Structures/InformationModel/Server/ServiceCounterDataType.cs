namespace Gateway.Codec.Structures;

[Structure(871, 873)]
public sealed partial class ServiceCounterDataType
{
    public uint TotalCount { get; init; }

    public uint ErrorCount { get; init; }
}
