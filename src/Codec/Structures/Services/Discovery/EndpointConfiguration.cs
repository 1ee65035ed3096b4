namespace Gateway.Codec.Structures;

[Structure(331, 333)]
public sealed partial class EndpointConfiguration
{
    public int OperationTimeout { get; init; }

    public bool UseBinaryEncoding { get; init; }

    public int MaxStringLength { get; init; }

    public int MaxByteStringLength { get; init; }

    public int MaxArrayLength { get; init; }

    public int MaxMessageSize { get; init; }

    public int MaxBufferSize { get; init; }

    public int ChannelLifetime { get; init; }

    public int SecurityTokenLifetime { get; init; }
}
