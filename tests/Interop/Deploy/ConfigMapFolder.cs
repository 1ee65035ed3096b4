using System.Diagnostics;

namespace Gateway.Interop.Deploy;

/// <summary>A folder as a kubelet mounts a ConfigMap: each file is a link through <c>..data</c>, and a change makes
/// that another folder at one instant.</summary>
internal sealed class ConfigMapFolder(string path)
{
    private const string Data = "..data";

    private int _version;

    public async Task WriteAsync(string file, string content)
    {
        string version = $"..version_{++_version}";
        Directory.CreateDirectory(Path.Combine(path, version));
        await File.WriteAllTextAsync(Path.Combine(path, version, file), content);
        string next = Path.Combine(path, "..data_tmp");
        Directory.CreateSymbolicLink(next, version);
        // The runtime's own moves follow the link, or do not replace one.
        using Process move = Process.Start("mv", ["-T", next, Path.Combine(path, Data)]);
        await move.WaitForExitAsync();
        Assert.Equal(0, move.ExitCode);
        if (_version == 1)
            File.CreateSymbolicLink(Path.Combine(path, file), Path.Combine(Data, file));
        else
            Directory.Delete(Path.Combine(path, $"..version_{_version - 1}"), recursive: true);
    }
}
