namespace Gateway.Sources.Upstream;

/// <summary>A connected upstream: swapped whole, so that a request never sees one session's map with another's nodes.
///</summary>
internal sealed record UpstreamLink(IUpstreamSession Session, NamespaceMap Namespaces, OperationSizes Sizes);
