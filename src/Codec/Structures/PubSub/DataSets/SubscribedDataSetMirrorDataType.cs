namespace Gateway.Codec.Structures;

[Structure(15635, 15713)]
public sealed partial class SubscribedDataSetMirrorDataType : SubscribedDataSetDataType
{
    public string? ParentNodeName { get; init; }

    public RolePermissionType[]? RolePermissions { get; init; }
}
