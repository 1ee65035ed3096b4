namespace Gateway.Codec.Structures;

[Structure(456, 458)]
public readonly partial record struct SignatureData
{
    public string? Algorithm { get; init; }

    public byte[]? Signature { get; init; }
}
