namespace Gateway.Sources.OpcUa.Namespaces;

/// <summary>One upstream's URI here. It is only a name until a node or a value needs an index for it; the index then
/// stays for the process's life. Owner: <see cref="NamespaceClaims"/>, under its lock.</summary>
internal sealed class NamespaceClaim(string upstream, string uri, string localUri)
{
    public string Upstream => upstream;

    /// <summary>As the upstream names it.</summary>
    public string Uri => uri;

    /// <summary>As the gateway names it: another where the URI was taken.</summary>
    public string LocalUri => localUri;

    /// <summary>0: none yet.</summary>
    public ushort Index { get; set; }
}
