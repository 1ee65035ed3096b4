namespace Gateway.Codec.Structures;

public enum MessageSecurityMode
{
    Invalid = 0,
    None = 1,
    Sign = 2,
    SignAndEncrypt = 3,
}
