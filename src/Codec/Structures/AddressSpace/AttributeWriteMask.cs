namespace Gateway.Codec.Structures;

[Flags]
public enum AttributeWriteMask : uint
{
    None = 0,
    AccessLevel = 1,
    ArrayDimensions = 2,
    BrowseName = 4,
    ContainsNoLoops = 8,
    DataType = 0x10,
    Description = 0x20,
    DisplayName = 0x40,
    EventNotifier = 0x80,
    Executable = 0x100,
    Historizing = 0x200,
    InverseName = 0x400,
    IsAbstract = 0x800,
    MinimumSamplingInterval = 0x1000,
    NodeClass = 0x2000,
    NodeId = 0x4000,
    Symmetric = 0x8000,
    UserAccessLevel = 0x10000,
    UserExecutable = 0x20000,
    UserWriteMask = 0x40000,
    ValueRank = 0x80000,
    WriteMask = 0x100000,
    ValueForVariableType = 0x200000,
    DataTypeDefinition = 0x400000,
    RolePermissions = 0x800000,
    AccessRestrictions = 0x1000000,
    AccessLevelEx = 0x2000000,
}
