namespace Gateway.Codec.Structures;

[Flags]
public enum ModelChangeStructureVerbMask
{
    NodeAdded = 1,
    NodeDeleted = 2,
    ReferenceAdded = 4,
    ReferenceDeleted = 8,
    DataTypeChanged = 0x10,
}
