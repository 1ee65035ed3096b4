namespace Gateway.Rest.Upstreams;

/// <summary>An upstream that is not configured yet. Holds a secret: never logged.</summary>
/// <param name="EndpointUrl">Where to.</param>
/// <param name="SecurityPolicy">Empty: the best.</param>
/// <param name="SecurityMode">Empty: SignAndEncrypt.</param>
/// <param name="User">Empty: anonymous.</param>
/// <param name="Password">Of the user.</param>
public sealed record UpstreamTestRequest(
    string EndpointUrl, string SecurityPolicy, string SecurityMode, string User, string Password)
{
    public override string ToString() => EndpointUrl;
}
