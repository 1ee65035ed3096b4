using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Namespaces;

/// <summary>The versions of models that upstreams and the gateway's own NodeSets have. Threads: any.</summary>
internal sealed class ModelVersions(NodeTable nodes, ValueStore values)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, IReadOnlyDictionary<string, string>> _byUpstream = [];

    /// <summary>Of that upstream from now on.</summary>
    /// <returns>Where others have another version: the URI, who that is, and its version.</returns>
    public List<(string Uri, string Other, string Version)> Set(
        string upstream, IReadOnlyDictionary<string, string> versions)
    {
        List<(string, string, string)> differing = [];
        lock (_lock)
        {
            _byUpstream[upstream] = versions;
            foreach (var (uri, version) in versions)
            {
                if (Other(upstream, uri, version) is var (other, theirs))
                    differing.Add((uri, other, theirs));
            }
        }

        return differing;
    }

    /// <summary>It does not come back.</summary>
    public void Remove(string upstream)
    {
        lock (_lock)
            _byUpstream.Remove(upstream);
    }

    private (string Other, string Version)? Other(string upstream, string uri, string version)
    {
        if (OfNodeSet(uri) is { } own && own != version)
            return ("a NodeSet of the gateway", own);
        foreach (var (other, versions) in _byUpstream)
        {
            if (other != upstream && versions.TryGetValue(uri, out var theirs) && theirs != version)
                return ("upstream " + other, theirs);
        }

        return null;
    }

    /// <summary>Null: there is none, or it does not say.</summary>
    private string? OfNodeSet(string uri)
    {
        var metadata = Child(nodes.Find(new NodeId(StandardIds.Objects.Server_Namespaces)), uri);
        var version = metadata.IsNone ? default : Child(metadata, "NamespaceVersion");
        return version.IsNone ? null : values.Read(version).Value.AsString();
    }

    private NodeHandle Child(NodeHandle parent, string name)
    {
        foreach (var reference in nodes.References(parent))
        {
            if (reference is { IsForward: true, IsExternal: false } &&
                nodes.GetBrowseName(reference.Target).Name == name)
                return reference.Target;
        }

        return default;
    }
}
