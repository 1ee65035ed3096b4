namespace Gateway.Sources.OpcUa.Namespaces;

/// <summary>One upstream's URI here. It is only a name until a node or a value needs an index for it; the index then
/// stays for the process's life. Owner: <see cref="NamespaceClaims"/>, under its lock.</summary>
internal sealed class NamespaceClaim(string upstream, string uri, string localUri, string otherUri)
{
    public string Upstream => upstream;

    /// <summary>As the upstream names it.</summary>
    public string Uri => uri;

    /// <summary>Of its instances here: another where the URI was taken.</summary>
    public string LocalUri => localUri;

    /// <summary>Of its other nodes. Where the URI is its own: <c>urn:gateway:&lt;Name&gt;:&lt;uri&gt;</c>, for types
    /// that others have under the same id with other contents. Else the URI itself, for the types that it shares.
    /// </summary>
    public string OtherUri => otherUri;

    public bool IsOwner => localUri == uri;

    /// <summary>0: none yet.</summary>
    public ushort Index { get; set; }

    /// <summary>Of <see cref="OtherUri"/>; 0: none yet.</summary>
    public ushort OtherIndex { get; set; }
}
