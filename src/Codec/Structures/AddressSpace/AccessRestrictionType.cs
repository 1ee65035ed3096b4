namespace Gateway.Codec.Structures;

[Flags]
public enum AccessRestrictionType : ushort
{
    None = 0,
    SigningRequired = 1,
    EncryptionRequired = 2,
    SessionRequired = 4,
    ApplyRestrictionsToBrowse = 8,
}
