namespace Gateway.Sources;

/// <summary>A driver of a gateway by its name. The code that registers it gives it its options.</summary>
/// <param name="Name">Unique; what logs and reports call the driver (<c>OpcUa</c>, <c>Simulator</c>).</param>
/// <param name="Make">Called once, when the gateway is composed.</param>
public sealed record SourceDriverRegistration(string Name, Func<SourceDriverContext, ISourceDriver> Make)
{
    /// <summary>False: switched off. Nothing of it is made.</summary>
    public bool IsEnabled { get; init; } = true;

    /// <summary>Namespace URIs that get the first free indexes, in the order of the registrations, independent of the
    /// loaded NodeSet files: clients know these indexes. Others get theirs when a node uses them.</summary>
    public IReadOnlyList<string> FixedNamespaces { get; init; } = [];
}
