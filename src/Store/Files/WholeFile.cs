using System.Security.Cryptography;

namespace Gateway.Store.Files;

/// <summary>A small file that is replaced as a whole or not at all, also by a process that is killed.</summary>
public static class WholeFile
{
    /// <summary>Writes into a file beside it, which then takes its name. Returns when the disk has it.</summary>
    /// <param name="path">Absolute. Its folder is made where it is missing.</param>
    /// <param name="write">The content.</param>
    /// <exception cref="IOException">The old file is still there.</exception>
    /// <exception cref="UnauthorizedAccessException">The old file is still there.</exception>
    public static void Replace(string path, Action<Stream> write)
    {
        var folder = Path.GetDirectoryName(path)!;
        Directory.CreateDirectory(folder);
        var fresh = Path.Combine(folder, $".{Path.GetFileName(path)}.{RandomNumberGenerator.GetHexString(8)}");
        try
        {
            using (var file = new FileStream(fresh, FileMode.CreateNew, FileAccess.Write))
            {
                write(file);
                file.Flush(flushToDisk: true);
            }

            File.Move(fresh, path, overwrite: true);
        }
        finally
        {
            // On a full disk it would stay, one for each try.
            File.Delete(fresh);
        }

        DirectorySync.Sync(folder);
    }
}
