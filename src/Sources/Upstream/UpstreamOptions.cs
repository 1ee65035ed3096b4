namespace Gateway.Sources.Upstream;

/// <summary>One upstream OPC UA server as the user configured it (<c>Upstreams:n:*</c>). Holds a secret: never logged.
/// </summary>
public sealed class UpstreamOptions
{
    /// <summary>Unique among the upstreams; the identifier of its object below <c>urn:gateway:upstreams</c>.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary><c>opc.tcp://host[:port][/path]</c>.</summary>
    public string EndpointUrl { get; init; } = string.Empty;

    /// <summary>A short name (<c>Basic256Sha256</c>) or a URI; empty: the best that both sides know.</summary>
    public string SecurityPolicy { get; init; } = string.Empty;

    /// <summary><c>None</c>, <c>Sign</c> or <c>SignAndEncrypt</c>; empty: the best of the policy.</summary>
    public string SecurityMode { get; init; } = string.Empty;

    /// <summary>Empty: anonymous.</summary>
    public string User { get; init; } = string.Empty;

    public string Password { get; init; } = string.Empty;

    /// <summary>Node ids (<c>nsu=</c>, <c>ns=</c>) where browsing starts; empty: Objects without its Server object.
    /// </summary>
    public string[] Roots { get; init; } = [];

    /// <summary>Of the upstream subscription, and the sampling interval of its items. Default: fast enough for people
    /// and slow enough for a controller.</summary>
    public double PublishingIntervalMs { get; init; } = 250;

    /// <summary>Nodes taken over at most; the rest is counted in the log.</summary>
    public int MaxNodes { get; init; } = 200_000;
}
