using Gateway.Store.Files;

namespace Gateway.Host.Auditing;

/// <summary>A folder of audit files to read, without its lock: the gateway may have that.</summary>
internal sealed class AuditFolder(string folder) : IStoreFiles
{
    public IReadOnlyList<string> List() => [.. Directory.EnumerateFiles(folder).Select(Path.GetFileName)!];

    public IStoreFile OpenToRead(string name) => DiskFiles.OpenFile(Path.Combine(folder, name));

    public IStoreFile OpenToWrite(string name) => throw new UnauthorizedAccessException("Nothing is written here.");

    public void Delete(string name) => throw new UnauthorizedAccessException("Nothing is deleted here.");

    public void SyncNames()
    {
    }

    public void Dispose()
    {
    }
}
