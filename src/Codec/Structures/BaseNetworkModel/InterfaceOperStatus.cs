namespace Gateway.Codec.Structures;

public enum InterfaceOperStatus
{
    Up = 0,
    Down = 1,
    Testing = 2,
    Unknown = 3,
    Dormant = 4,
    NotPresent = 5,
    LowerLayerDown = 6,
}
