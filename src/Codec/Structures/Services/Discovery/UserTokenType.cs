namespace Gateway.Codec.Structures;

public enum UserTokenType
{
    Anonymous = 0,
    UserName = 1,
    Certificate = 2,
    IssuedToken = 3,
}
