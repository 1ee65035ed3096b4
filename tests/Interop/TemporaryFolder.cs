namespace Gateway.Interop;

/// <summary>A folder of this test alone, gone with it.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("gateway-interop-").FullName;

    public string Sub(params string[] parts)
    {
        string folder = System.IO.Path.Combine([Path, .. parts]);
        Directory.CreateDirectory(folder);
        return folder;
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
