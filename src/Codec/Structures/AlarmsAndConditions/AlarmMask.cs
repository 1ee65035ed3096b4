namespace Gateway.Codec.Structures;

[Flags]
public enum AlarmMask : ushort
{
    None = 0,
    Active = 1,
    Unacknowledged = 2,
    Unconfirmed = 4,
}
