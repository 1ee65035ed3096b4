namespace Gateway.Sources.Upstreams;

/// <summary>A change of an upstream's model that clients may not know of.</summary>
public enum DriftKind
{
    /// <summary>A namespace URI has another index: <c>nsu=</c> ids go on, <c>ns=</c> ids at the upstream do not.
    /// </summary>
    NamespaceMoved,

    /// <summary>A namespace URI is not there any more.</summary>
    NamespaceGone,

    /// <summary>A node has another id, with the browse path and the type of before: the old id is served on.</summary>
    Remapped,

    /// <summary>An id has another BrowseName: it may be another thing.</summary>
    Renamed,

    /// <summary>A node has another NodeClass, data type or type, or a type another definition.</summary>
    Retyped,

    /// <summary>An id is not there any more, and no other node is certainly the same.</summary>
    Gone,
}
