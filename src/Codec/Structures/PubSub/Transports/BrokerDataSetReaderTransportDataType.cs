namespace Gateway.Codec.Structures;

[Structure(15670, 15733)]
public sealed partial class BrokerDataSetReaderTransportDataType : DataSetReaderTransportDataType
{
    public string? QueueName { get; init; }

    public string? ResourceUri { get; init; }

    public string? AuthenticationProfileUri { get; init; }

    public BrokerTransportQualityOfService RequestedDeliveryGuarantee { get; init; }

    public string? MetaDataQueueName { get; init; }
}
