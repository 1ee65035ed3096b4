using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Redundancy;

/// <summary>One server of a redundant set. Thread: the connector's, one job at a time.</summary>
internal sealed class RedundantMember(string endpointUrl, IUpstreamConnection connection)
{
    public string EndpointUrl => endpointUrl;

    public IUpstreamConnection Connection => connection;

    /// <summary>As it said last; null: never.</summary>
    public byte? ServiceLevel { get; set; }

    public string? LastError { get; set; }

    /// <summary>A session that was lost there, and that another server took over: closed before the next one is made.
    /// </summary>
    public IUpstreamSession? Left { get; set; }
}
