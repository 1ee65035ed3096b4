using Gateway.Store.Files;

namespace Gateway.Tests.Auditing;

/// <summary>A real folder whose disk a test can fill up: then the next write fails in its middle.</summary>
/// <param name="files">The folder.</param>
/// <param name="fault">What the disk says; null: it takes everything.</param>
internal sealed class FaultyFiles(IStoreFiles files, Func<string?> fault) : IStoreFiles
{
    public IReadOnlyList<string> List() => files.List();

    public IStoreFile OpenToRead(string name) => files.OpenToRead(name);

    public IStoreFile OpenToWrite(string name) => new File(files.OpenToWrite(name), fault);

    public void Delete(string name) => files.Delete(name);

    public void SyncNames() => files.SyncNames();

    public void Dispose() => files.Dispose();

    private sealed class File(IStoreFile file, Func<string?> fault) : IStoreFile
    {
        public long Length => file.Length;

        public int Read(Span<byte> bytes, long offset) => file.Read(bytes, offset);

        public void Write(ReadOnlySpan<byte> bytes, long offset)
        {
            if (fault() is not { } problem)
            {
                file.Write(bytes, offset);
                return;
            }

            file.Write(bytes[..(bytes.Length / 2)], offset);
            throw new IOException(problem);
        }

        public void SetLength(long length) => file.SetLength(length);

        public void Sync() => file.Sync();

        public void Dispose() => file.Dispose();
    }
}
