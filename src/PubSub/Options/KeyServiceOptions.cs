using Gateway.Transport.Profiles;

namespace Gateway.PubSub.Options;

/// <summary>An OPC UA server that gives keys of SecurityGroups (GetSecurityKeys). The gateway calls it over a session
/// with SignAndEncrypt only. Source: Part 14 §8.3.</summary>
public sealed record KeyServiceOptions
{
    /// <summary><c>opc.tcp://host[:port][/path]</c>.</summary>
    public string EndpointUrl { get; init; } = "";

    /// <summary>Empty: anonymous, told apart by the gateway's certificate.</summary>
    public string User { get; init; } = "";

    public string Password { get; init; } = "";

    internal void Validate(OptionErrors errors)
    {
        errors.Demand(
            Uri.TryCreate(EndpointUrl, UriKind.Absolute, out var url) && url.Scheme == TransportProfiles.UaTcp.Scheme &&
            url.Host.Length > 0, nameof(EndpointUrl), "is no opc.tcp:// with a host");
        errors.Demand(
            url?.UserInfo is null or "", nameof(EndpointUrl), "holds a user: give User and Password of their own");
        errors.Demand(Password.Length == 0 || User.Length > 0, nameof(Password), "there is no User to it");
    }
}
