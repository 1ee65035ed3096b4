namespace Gateway.Codec.Structures;

[Structure(15007, 15479)]
public sealed partial class BrokerConnectionTransportDataType : ConnectionTransportDataType
{
    public string? ResourceUri { get; init; }

    public string? AuthenticationProfileUri { get; init; }
}
