namespace Gateway.Codec.Structures;

[Flags]
public enum BrowseResultMask
{
    None = 0,
    ReferenceTypeId = 1,
    IsForward = 2,
    NodeClass = 4,
    BrowseName = 8,
    DisplayName = 0x10,
    TypeDefinition = 0x20,
    All = 0x3F,
    ReferenceTypeInfo = 3,
    TargetInfo = 0x3C,
}
