namespace Gateway.Codec.Structures;

[Structure(23601, 23853)]
public sealed partial class SecurityGroupDataType
{
    public string? Name { get; init; }

    public string?[]? SecurityGroupFolder { get; init; }

    public double KeyLifetime { get; init; }

    public string? SecurityPolicyUri { get; init; }

    public uint MaxFutureKeyCount { get; init; }

    public uint MaxPastKeyCount { get; init; }

    public string? SecurityGroupId { get; init; }

    public RolePermissionType[]? RolePermissions { get; init; }

    public KeyValuePair[]? GroupProperties { get; init; }
}
