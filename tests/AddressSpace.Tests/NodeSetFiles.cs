namespace Gateway.AddressSpace.Tests;

internal static class NodeSetFiles
{
    public static string Folder { get; } = Environment.GetEnvironmentVariable("GATEWAY_NODESETS")
        ?? Path.Combine(Root(), "tests/Interop/peers/node_modules/node-opcua-nodesets/nodesets");

    public static string Get(string name) => Path.Combine(Folder, name);

    public static string Root()
    {
        var folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Gateway.sln")))
            folder = Path.GetDirectoryName(folder) ?? throw new DirectoryNotFoundException("no Gateway.sln above");
        return folder;
    }
}
