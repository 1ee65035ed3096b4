namespace Gateway.Sources.OpcUa.Load;

/// <summary>The order in which requests go to an upstream that cannot take all at once.</summary>
internal enum RequestClass
{
    /// <summary>Writes and method calls: somebody acts on the machine.</summary>
    Act,

    /// <summary>The gateway's own care for its items and its session: small, and what clients watch depends on it.
    /// </summary>
    Upkeep,

    /// <summary>All reading and browsing, in turns between clients and the gateway itself.</summary>
    Read,
}
