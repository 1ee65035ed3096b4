using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Conversation;
using Gateway.Transport.Profiles;
using Gateway.Transport.Security;

namespace Gateway.Loadtest.Peers.Hostile;

/// <summary>The answers of a <see cref="HostileServer"/>. By default an honest server without nodes: one endpoint of
/// one policy, anonymous users, and Bad_NodeIdUnknown for all that is read.</summary>
internal class HostileScript
{
    private volatile bool _isArmed = true;

    /// <summary>False: it refuses sessions as a busy server does, and so does no harm yet. Any thread.</summary>
    public bool IsArmed
    {
        get => _isArmed;
        set => _isArmed = value;
    }

    public string ApplicationUri { get; init; } = "urn:hostile:server";

    /// <summary>The answer to GetEndpoints.</summary>
    public virtual EndpointDescription[] Discover(string url, byte[] certificate) =>
        [Endpoint(url, certificate, SecurityPolicies.None, Token(UserTokenType.Anonymous, ""))];

    /// <summary>The endpoints of CreateSession's answer.</summary>
    public virtual EndpointDescription[] Confirm(string url, byte[] certificate) => Discover(url, certificate);

    /// <summary>The answer to ActivateSession: its ServiceResult, or null for none. It may end the channel.</summary>
    public virtual StatusCode? Activate(SecureChannel channel) => StatusCode.Good;

    /// <summary>False: a request of that encoding is held and never answered.</summary>
    public virtual bool IsAnswered(uint typeId) => true;

    public virtual DataValue Read(ReadValueId read) => new(StatusCodes.BadNodeIdUnknown);

    public virtual BrowseResult Browse(BrowseDescription browse) => new();

    public virtual BrowseResult BrowseNext(byte[] point) =>
        new() { StatusCode = StatusCodes.BadContinuationPointInvalid };

    /// <summary>Null: the request is held and never answered.</summary>
    public virtual NotificationMessage? Publish() => null;

    /// <param name="policyUri">Of the token; empty: the endpoint's.</param>
    public static UserTokenPolicy Token(UserTokenType type, string policyUri) =>
        new() { PolicyId = type.ToString(), TokenType = type, SecurityPolicyUri = policyUri };

    public EndpointDescription Endpoint(
        string url, byte[] certificate, SecurityPolicy policy, params UserTokenPolicy[] tokens) =>
        Endpoint(
            url, certificate, policy,
            policy.IsNone ? MessageSecurityMode.None : MessageSecurityMode.SignAndEncrypt, tokens);

    public EndpointDescription Endpoint(
        string url,
        byte[] certificate,
        SecurityPolicy policy,
        MessageSecurityMode mode,
        params UserTokenPolicy[] tokens) => new()
        {
            EndpointUrl = url,
            Server = new ApplicationDescription
            {
                ApplicationUri = ApplicationUri,
                ApplicationType = ApplicationType.Server,
            },
            ServerCertificate = certificate,
            SecurityMode = mode,
            SecurityPolicyUri = policy.Uri,
            UserIdentityTokens = tokens,
            TransportProfileUri = TransportProfiles.UaTcp.Uri,
            SecurityLevel = (byte)mode,
        };
}
