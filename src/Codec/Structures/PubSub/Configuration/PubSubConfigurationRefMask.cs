namespace Gateway.Codec.Structures;

[Flags]
public enum PubSubConfigurationRefMask : uint
{
    None = 0,
    ElementAdd = 1,
    ElementMatch = 2,
    ElementModify = 4,
    ElementRemove = 8,
    ReferenceWriter = 0x10,
    ReferenceReader = 0x20,
    ReferenceWriterGroup = 0x40,
    ReferenceReaderGroup = 0x80,
    ReferenceConnection = 0x100,
    ReferencePubDataset = 0x200,
    ReferenceSubDataset = 0x400,
    ReferenceSecurityGroup = 0x800,
    ReferencePushTarget = 0x1000,
}
