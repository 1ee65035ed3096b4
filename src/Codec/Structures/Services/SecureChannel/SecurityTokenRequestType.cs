namespace Gateway.Codec.Structures;

public enum SecurityTokenRequestType
{
    Issue = 0,
    Renew = 1,
}
