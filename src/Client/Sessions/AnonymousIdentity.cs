using Gateway.Codec.Structures;

namespace Gateway.Client.Sessions;

internal sealed class AnonymousIdentity : ClientIdentity
{
    internal override UserTokenType TokenType => UserTokenType.Anonymous;
}
