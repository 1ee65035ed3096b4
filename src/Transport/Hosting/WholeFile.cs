namespace Gateway.Transport.Hosting;

/// <summary>Writes a file so that a crash or a power cut leaves the whole of it, or what was there before.</summary>
public static class WholeFile
{
    /// <summary>Beside its place, onto the disk, then renamed. Errors: IOException, UnauthorizedAccessException.
    /// </summary>
    /// <param name="path">Where to.</param>
    /// <param name="content">All of it.</param>
    /// <param name="overwrite">False: an existing file is an error.</param>
    /// <param name="mode">Null: as the process makes files.</param>
    public static void Write(
        string path, ReadOnlySpan<byte> content, bool overwrite = false, UnixFileMode? mode = null)
    {
        var partial = path + ".new";
        File.Delete(partial);
        var how = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
            how.UnixCreateMode = mode;
        try
        {
            using (var stream = new FileStream(partial, how))
            {
                stream.Write(content);
                stream.Flush(flushToDisk: true);
            }

            File.Move(partial, path, overwrite);
        }
        catch
        {
            // A full disk: what was written of it takes the room that others need.
            File.Delete(partial);
            throw;
        }
    }
}
