using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(96, 128)]
public sealed partial class RolePermissionType
{
    public NodeId RoleId { get; init; }

    public PermissionType Permissions { get; init; }
}
