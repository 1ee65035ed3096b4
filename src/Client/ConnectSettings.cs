using Gateway.Client.Sessions;
using Gateway.Codec.Structures;

namespace Gateway.Client;

/// <summary>Where to and how: one session.</summary>
public sealed record ConnectSettings
{
    /// <summary><c>opc.tcp://host[:port][/path]</c>: also what is connected to, whatever host the server's endpoints
    /// name.</summary>
    public required string EndpointUrl { get; init; }

    /// <summary>Null: the best that both sides know.</summary>
    public string? SecurityPolicyUri { get; init; }

    /// <summary>Invalid: the best that the server offers for the policy.</summary>
    public MessageSecurityMode SecurityMode { get; init; } = MessageSecurityMode.Invalid;

    public ClientIdentity Identity { get; init; } = ClientIdentity.Anonymous;

    public string SessionName { get; init; } = "gateway";
}
