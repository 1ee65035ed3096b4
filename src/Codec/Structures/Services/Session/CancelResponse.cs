namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.7.5.</summary>
[Structure(480, 482)]
public sealed partial class CancelResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public uint CancelCount { get; init; }
}
