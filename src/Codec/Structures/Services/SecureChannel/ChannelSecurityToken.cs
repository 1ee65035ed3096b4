namespace Gateway.Codec.Structures;

[Structure(441, 443)]
public readonly partial record struct ChannelSecurityToken
{
    public uint ChannelId { get; init; }

    public uint TokenId { get; init; }

    public DateTime CreatedAt { get; init; }

    public uint RevisedLifetime { get; init; }
}
