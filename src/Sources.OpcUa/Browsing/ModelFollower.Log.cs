using Gateway.Codec.Types;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.OpcUa.Browsing;

internal sealed partial class ModelFollower
{
    [LoggerMessage(5002, LogLevel.Information,
        "Upstream {Upstream}: {Nodes} nodes, {Added} added and {Removed} removed, in {Seconds:0.0} s")]
    private partial void Synchronized(string upstream, int nodes, int added, int removed, double seconds);

    [LoggerMessage(5005, LogLevel.Warning,
        "Upstream {Upstream}: namespace {Uri} is in use already; the gateway serves its nodes in {Became}")]
    private partial void NamespaceRenamed(string upstream, string uri, string became);

    [LoggerMessage(5006, LogLevel.Warning,
        "Upstream {Upstream}: {Skipped} references were left out because the browse reached MaxNodes ({MaxNodes})")]
    private partial void NodesSkipped(string upstream, int skipped, int maxNodes);

    [LoggerMessage(5007, LogLevel.Warning, "Upstream {Upstream} has no node {Root} (Upstreams:Roots)")]
    private partial void RootUnknown(string upstream, string root);

    [LoggerMessage(5011, LogLevel.Warning,
        "Upstream {Upstream}: {Namespaces} entries of its NamespaceArray are rejected (the standard's URI elsewhere "
            + "than at index 0, a duplicate, too long, or above {Limit}, Limits:MaxUpstreamNamespaces); "
            + "{References} references to nodes in such namespaces were left out")]
    private partial void NamespacesRefused(string upstream, int namespaces, int references, int limit);

    [LoggerMessage(5012, LogLevel.Warning,
        "Upstream {Upstream}: the gateway left out {Overlong} references to nodes with names above "
            + "Limits:MaxUpstreamTextLength, the types of {Types} variables above Limits:MaxUpstreamDataTypes, and "
            + "{Arguments} argument lists above Limits:MaxUpstreamArgumentBytes")]
    private partial void PartsLeftOut(string upstream, int overlong, int types, int arguments);

    [LoggerMessage(5013, LogLevel.Warning,
        "Upstream {Upstream} refused to browse {Nodes} nodes (the first is {Node}: {Status}): the nodes below them are "
            + "missing, and nodes of an earlier browse stay")]
    private partial void NodesNotBrowsed(string upstream, int nodes, string node, StatusCode status);

    [LoggerMessage(5060, LogLevel.Warning,
        "Upstream {Upstream}: {Types} nodes of its types differ from those that the gateway serves under the same "
            + "NodeIds (the first is {Node}): they are served under urn:gateway:{Upstream}:<uri>, beside the others")]
    private partial void TypesDiffer(string upstream, int types, string node);

    [LoggerMessage(5076, LogLevel.Warning,
        "Upstream {Upstream} has version {Version} of the model {Uri}, and {Other} has {OtherVersion}: types that "
            + "differ are served beside each other (5060 names one), all others once")]
    private partial void VersionsDiffer(
        string upstream, string version, string uri, string other, string otherVersion);

    [LoggerMessage(5061, LogLevel.Warning,
        "Upstream {Upstream} has changed its NamespaceArray otherwise than by adding to it: the gateway connects anew")]
    private partial void NamespacesChanged(string upstream);
}
