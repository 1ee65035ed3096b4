namespace Gateway.Codec.Structures;

[Structure(24281, 24292)]
public sealed partial class UserManagementDataType
{
    public string? UserName { get; init; }

    public UserConfigurationMask UserConfiguration { get; init; }

    public string? Description { get; init; }
}
