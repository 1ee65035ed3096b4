namespace Gateway.Codec.Structures;

[Structure(23605, 23857)]
public sealed partial class TransmitQosPriorityDataType : TransmitQosDataType
{
    public string? PriorityLabel { get; init; }
}
