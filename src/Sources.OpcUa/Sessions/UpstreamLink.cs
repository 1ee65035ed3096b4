using Gateway.Sources.OpcUa.Load;
using Gateway.Sources.OpcUa.Namespaces;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>A connected upstream: swapped whole, so that a request never sees one session's map with another's nodes.
///</summary>
/// <param name="PublishingIntervalMs">Of our subscription, as the upstream revised it: it may be far above what was
/// asked for. A number that is none, or below it, is not taken.</param>
internal sealed record UpstreamLink(
    IUpstreamSession Session, NamespaceMap Namespaces, OperationSizes Sizes, double PublishingIntervalMs)
{
    /// <summary>For requests on behalf of a client: it takes turns with the others.</summary>
    public IUpstreamSession For(string account) =>
        Session is BudgetedSession budgeted ? budgeted.For(account) : Session;
}
