using Gateway.Codec.Structures;

namespace Gateway.Client.Sessions;

internal sealed class UserNameIdentity(string name, string password) : ClientIdentity
{
    public string Name { get; } = name;

    public string Password { get; } = password;

    internal override UserTokenType TokenType => UserTokenType.UserName;
}
