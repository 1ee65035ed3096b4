namespace Gateway.Codec.Structures;

[Structure(15667, 15727)]
public sealed partial class BrokerWriterGroupTransportDataType : WriterGroupTransportDataType
{
    public string? QueueName { get; init; }

    public string? ResourceUri { get; init; }

    public string? AuthenticationProfileUri { get; init; }

    public BrokerTransportQualityOfService RequestedDeliveryGuarantee { get; init; }
}
