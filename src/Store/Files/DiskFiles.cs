namespace Gateway.Store.Files;

/// <summary>A directory of the system. Its file <c>lock</c> is locked as long as this lives; a process that is killed
/// leaves no lock.</summary>
public sealed class DiskFiles : IStoreFiles
{
    private const string LockName = "lock";

    private readonly string _directory;
    private readonly FileStream _lock;

    private DiskFiles(string directory, FileStream locked) => (_directory, _lock) = (directory, locked);

    /// <exception cref="StoreException">The directory is in use, or cannot be made or read.</exception>
    public static DiskFiles Open(string directory)
    {
        try
        {
            Directory.CreateDirectory(directory);
            return new DiskFiles(directory, Lock(Path.Combine(directory, LockName)));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new StoreException(
                StoreFault.Unavailable, $"The directory {directory} of the store cannot be used: {e.Message}", e);
        }
    }

    public IReadOnlyList<string> List() => [.. Directory.EnumerateFiles(_directory).Select(Path.GetFileName)!];

    public IStoreFile OpenToRead(string name) => OpenFile(PathOf(name));

    /// <summary>Without the lock of its directory, whoever has it.</summary>
    public static IStoreFile OpenFile(string path) => new DiskFile(File.OpenHandle(
        path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete));

    public IStoreFile OpenToWrite(string name) => new DiskFile(File.OpenHandle(
        PathOf(name), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete));

    public void Delete(string name) => File.Delete(PathOf(name));

    public void SyncNames() => DirectorySync.Sync(_directory);

    public void Dispose() => _lock.Dispose();

    /// <summary>A directory that can only be read is locked through a file that is there.</summary>
    private static FileStream Lock(string path)
    {
        try
        {
            return new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
        }
        catch (Exception e) when (File.Exists(path) && IsReadOnly(e))
        {
            return new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.None);
        }
        catch (IOException e) when (File.Exists(path))
        {
            throw new StoreException(StoreFault.InUse, $"Another process has {path} open", e);
        }
    }

    private static bool IsReadOnly(Exception e) =>
        e is UnauthorizedAccessException || (ushort)e.HResult == ReadOnlyError;

    /// <summary>EROFS of Linux.</summary>
    private const int ReadOnlyError = 30;

    private string PathOf(string name) => Path.Combine(_directory, name);
}
