using Gateway.Codec.Structures;
using Gateway.Loadtest.Peers.Hostile;
using Gateway.Transport.Security;

namespace Gateway.Loadtest.Attacks.Upstream;

/// <summary>None alone, with anonymous users and passwords encrypted by Basic256Sha256.</summary>
internal sealed class ImpostorScript : HostileScript
{
    public override EndpointDescription[] Discover(string url, byte[] certificate) =>
    [
        Endpoint(
            url, certificate, SecurityPolicies.None, Token(UserTokenType.Anonymous, ""),
            Token(UserTokenType.UserName, SecurityPolicies.Basic256Sha256.Uri)),
    ];
}
