namespace Gateway.Codec.Structures;

[Structure(15669, 15729)]
public sealed partial class BrokerDataSetWriterTransportDataType : DataSetWriterTransportDataType
{
    public string? QueueName { get; init; }

    public string? ResourceUri { get; init; }

    public string? AuthenticationProfileUri { get; init; }

    public BrokerTransportQualityOfService RequestedDeliveryGuarantee { get; init; }

    public string? MetaDataQueueName { get; init; }

    public double MetaDataUpdateTime { get; init; }
}
