namespace Gateway.AddressSpace.Import;

/// <summary>Limits on one NodeSet2 file (R22). Past any of them the file is refused.</summary>
public sealed class NodeSetLimits
{
    public static NodeSetLimits Default { get; } = new();

    /// <summary>Default 128 MiB: thirty times the standard's own file.</summary>
    public long MaxFileSizeBytes { get; init; } = 128 * 1024 * 1024;

    /// <summary>Default 1,000,000.</summary>
    public int MaxNodes { get; init; } = 1_000_000;

    /// <summary>Levels of XML elements. Default 100, as everywhere (R01).</summary>
    public int MaxDepth { get; init; } = 100;
}
