namespace Gateway.Codec.Structures;

[Flags]
public enum PermissionType : uint
{
    None = 0,
    Browse = 1,
    ReadRolePermissions = 2,
    WriteAttribute = 4,
    WriteRolePermissions = 8,
    WriteHistorizing = 0x10,
    Read = 0x20,
    Write = 0x40,
    ReadHistory = 0x80,
    InsertHistory = 0x100,
    ModifyHistory = 0x200,
    DeleteHistory = 0x400,
    ReceiveEvents = 0x800,
    Call = 0x1000,
    AddReference = 0x2000,
    RemoveReference = 0x4000,
    DeleteNode = 0x8000,
    AddNode = 0x10000,
}
