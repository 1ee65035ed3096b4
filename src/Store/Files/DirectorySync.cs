using System.Runtime.InteropServices;

namespace Gateway.Store.Files;

/// <summary>fsync of a directory, which .NET does not open. Without it a machine that loses its power may forget the
/// name of a new file, and so all of its bytes. Source: fsync(2).</summary>
public static class DirectorySync
{
    /// <summary>Does nothing where the system needs no such call.</summary>
    /// <exception cref="IOException">The disk failed.</exception>
    public static void Sync(string directory)
    {
        if (!OperatingSystem.IsLinux())
            return;
        var handle = Open(System.Text.Encoding.UTF8.GetBytes(directory + '\0'), 0);
        if (handle < 0)
            throw new IOException($"{directory} cannot be opened (error {Marshal.GetLastPInvokeError()}).");
        try
        {
            if (Fsync(handle) != 0)
                throw new IOException($"{directory} cannot be synchronised (error {Marshal.GetLastPInvokeError()}).");
        }
        finally
        {
            _ = Close(handle);
        }
    }

    [DllImport("libc", EntryPoint = "open", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Open(byte[] path, int flags);

    [DllImport("libc", EntryPoint = "fsync", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Fsync(int handle);

    [DllImport("libc", EntryPoint = "close")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int Close(int handle);
}
