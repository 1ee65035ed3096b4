namespace Gateway.Codec.Structures;

[Structure(25270, 25530)]
public sealed partial class PubSubKeyPushTargetDataType
{
    public string? ApplicationUri { get; init; }

    public string?[]? PushTargetFolder { get; init; }

    public string? EndpointUrl { get; init; }

    public string? SecurityPolicyUri { get; init; }

    public UserTokenPolicy UserTokenType { get; init; } = new();

    public ushort RequestedKeyCount { get; init; }

    public double RetryInterval { get; init; }

    public KeyValuePair[]? PushTargetProperties { get; init; }

    public string?[]? SecurityGroups { get; init; }
}
