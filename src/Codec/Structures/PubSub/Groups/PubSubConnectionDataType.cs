using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(15617, 15694)]
public sealed partial class PubSubConnectionDataType
{
    public string? Name { get; init; }

    public bool Enabled { get; init; }

    public Variant PublisherId { get; init; }

    public string? TransportProfileUri { get; init; }

    [AllowSubtypes(typeof(NetworkAddressDataType))]
    public ExtensionObject Address { get; init; }

    public KeyValuePair[]? ConnectionProperties { get; init; }

    [AllowSubtypes(typeof(ConnectionTransportDataType))]
    public ExtensionObject TransportSettings { get; init; }

    public WriterGroupDataType[]? WriterGroups { get; init; }

    public ReaderGroupDataType[]? ReaderGroups { get; init; }
}
