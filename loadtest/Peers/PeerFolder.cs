namespace Gateway.Loadtest.Peers;

/// <summary>Where the third-party servers are: <c>tests/Interop/peers</c> of the repository, with its npm packages.
/// </summary>
internal static class PeerFolder
{
    private const string InRepository = "tests/Interop/peers";

    /// <summary>Errors: InvalidOperationException that says which command is missing.</summary>
    /// <param name="given">From the command line; null: looked for above the program and the working folder.</param>
    public static string Find(string? given)
    {
        var folder = given ?? Above(AppContext.BaseDirectory) ?? Above(Environment.CurrentDirectory) ??
            throw new InvalidOperationException($"no {InRepository} above this program; give its path by --peers");
        if (!File.Exists(Path.Combine(folder, "server.js")))
            throw new InvalidOperationException($"--peers has no server.js: {folder}");
        if (!Directory.Exists(Path.Combine(folder, "node_modules", "node-opcua")))
            throw new InvalidOperationException($"node-opcua is not installed: run 'npm ci' in {folder}");
        if (!Directory.Exists(Path.Combine(folder, "node_modules", "express")))
            throw new InvalidOperationException($"express is not installed: run 'npm ci' in {folder}");
        return folder;
    }

    private static string? Above(string start)
    {
        for (var folder = new DirectoryInfo(start); folder is not null; folder = folder.Parent)
        {
            var peers = Path.Combine(folder.FullName, InRepository);
            if (Directory.Exists(peers))
                return peers;
        }

        return null;
    }
}
