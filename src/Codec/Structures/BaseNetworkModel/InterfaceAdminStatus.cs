namespace Gateway.Codec.Structures;

public enum InterfaceAdminStatus
{
    Up = 0,
    Down = 1,
    Testing = 2,
}
