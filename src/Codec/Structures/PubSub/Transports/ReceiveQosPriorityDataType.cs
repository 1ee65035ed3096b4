namespace Gateway.Codec.Structures;

[Structure(23609, 23861)]
public sealed partial class ReceiveQosPriorityDataType : ReceiveQosDataType
{
    public string? PriorityLabel { get; init; }
}
