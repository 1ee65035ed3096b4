namespace Gateway.Codec.Structures;

[Flags]
public enum NodeClass
{
    Unspecified = 0,
    Object = 1,
    Variable = 2,
    Method = 4,
    ObjectType = 8,
    VariableType = 0x10,
    ReferenceType = 0x20,
    DataType = 0x40,
    View = 0x80,
}
