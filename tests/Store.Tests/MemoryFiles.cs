using Gateway.Store.Files;

namespace Gateway.Store.Tests;

/// <summary>A disk in memory that a test can fill up, break and cut. It outlives the logs that use it.</summary>
internal sealed class MemoryFiles : IStoreFiles
{
    private const string Full = "No space left on device";

    private readonly List<MemoryFile> _open = [];

    public Dictionary<string, byte[]> Content { get; } = [];

    /// <summary>Bytes of all files, and of those that are deleted and still open.</summary>
    public long Capacity { get; set; } = long.MaxValue;

    public bool IsReadOnly { get; set; }

    public bool FailsToRead { get; set; }

    /// <summary>As where the process has no descriptors left.</summary>
    public bool FailsToOpen { get; set; }

    public long BytesRead { get; private set; }

    public int Syncs { get; private set; }

    public int Writes { get; private set; }

    /// <summary>After so many more bytes each write fails in its middle; null: never.</summary>
    public long? BytesUntilFailure { get; set; }

    /// <summary>On the thread that writes; what takes long here is a slow disk.</summary>
    public Action? Writing { get; set; }

    public IReadOnlyList<string> Segments => [.. Content.Keys.Where(name => name.EndsWith(".log")).Order()];

    public IReadOnlyList<string> List() => [.. Content.Keys];

    public IStoreFile OpenToRead(string name) => FailsToOpen ? throw new IOException("Too many open files")
        : Content.ContainsKey(name)
        ? Open(name)
        : throw new FileNotFoundException(name);

    public IStoreFile OpenToWrite(string name)
    {
        if (IsReadOnly)
            throw new IOException("Read-only file system");
        Content.TryAdd(name, []);
        return Open(name);
    }

    public void Delete(string name)
    {
        if (IsReadOnly)
            throw new IOException("Read-only file system");
        Content.Remove(name);
    }

    public void SyncNames()
    {
    }

    public MemoryFiles Copy()
    {
        var copy = new MemoryFiles();
        foreach (var (name, bytes) in Content)
            copy.Content[name] = [.. bytes];
        return copy;
    }

    public void Dispose()
    {
    }

    private long Deleted => _open.Where(file => !Content.ContainsKey(file.Name)).DistinctBy(static file => file.Name)
        .Sum(static file => file.Length);

    private MemoryFile Open(string name)
    {
        var file = new MemoryFile(this, name);
        _open.Add(file);
        return file;
    }

    private sealed class MemoryFile(MemoryFiles files, string name) : IStoreFile
    {
        private byte[] _kept = files.Content[name];

        public string Name => name;

        public long Length => Bytes.Length;

        // A file that was deleted can still be read, as on Linux.
        private byte[] Bytes => _kept = files.Content.GetValueOrDefault(name, _kept);

        public int Read(Span<byte> bytes, long offset)
        {
            if (files.FailsToRead)
                throw new IOException("Input/output error");
            var rest = Bytes.AsSpan((int)Math.Min(offset, Length));
            var count = Math.Min(rest.Length, bytes.Length);
            rest[..count].CopyTo(bytes);
            files.BytesRead += count;
            return count;
        }

        public void Write(ReadOnlySpan<byte> bytes, long offset)
        {
            if (files.IsReadOnly)
                throw new IOException("Read-only file system");
            files.Writing?.Invoke();
            files.Writes++;
            var others = files.Content.Values.Sum(content => (long)content.Length) + files.Deleted - Length;
            var room = Math.Clamp(files.Capacity - others - offset, 0, bytes.Length);
            room = Math.Min(room, files.BytesUntilFailure ?? room);
            files.BytesUntilFailure -= room;
            if (offset + room > Length)
                SetLength(offset + room);
            bytes[..(int)room].CopyTo(Bytes.AsSpan((int)offset));
            if (room < bytes.Length)
                throw new IOException(Full);
        }

        public void SetLength(long length)
        {
            var bytes = Bytes;
            Array.Resize(ref bytes, (int)length);
            files.Content[name] = bytes;
        }

        public void Sync() => files.Syncs++;

        public void Dispose() => files._open.Remove(this);
    }
}
