namespace Gateway.AddressSpace.Tests;

/// <summary>A test on the model files of the npm package node-opcua-nodesets. Skipped where it is not installed, except
/// in CI.</summary>
public sealed class NodeSetFactAttribute : FactAttribute
{
    public NodeSetFactAttribute()
    {
        if (!Directory.Exists(NodeSetFiles.Folder) && Environment.GetEnvironmentVariable("CI") != "true")
            Skip = $"node-opcua-nodesets is not installed at {NodeSetFiles.Folder} (or at GATEWAY_NODESETS)";
    }
}
