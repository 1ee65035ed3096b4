namespace Gateway.AddressSpace.Hosting;

/// <summary>The content of the address space at the start.</summary>
public sealed record AddressSpaceOptions
{
    /// <summary>URIs that get the first namespace indexes, from 1 on: clients keep NodeIds by index.</summary>
    public required IReadOnlyList<string> Namespaces { get; init; }

    /// <summary><c>NodeSets:Path</c>; empty: none.</summary>
    public string NodeSetsPath { get; init; } = "";
}
