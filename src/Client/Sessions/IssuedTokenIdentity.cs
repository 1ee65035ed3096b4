using Gateway.Codec.Structures;

namespace Gateway.Client.Sessions;

internal sealed class IssuedTokenIdentity(string token) : ClientIdentity
{
    public string Token { get; } = token;

    internal override UserTokenType TokenType => UserTokenType.IssuedToken;
}
