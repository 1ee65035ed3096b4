namespace Gateway.Store.Files;

/// <summary>One file. Errors: IOException and UnauthorizedAccessException, of each member.</summary>
public interface IStoreFile : IDisposable
{
    long Length { get; }

    /// <summary>Returns fewer bytes only at the end of the file.</summary>
    int Read(Span<byte> bytes, long offset);

    /// <summary>After an error any part may be written.</summary>
    void Write(ReadOnlySpan<byte> bytes, long offset);

    void SetLength(long length);

    /// <summary>Returns when the disk has what was written (fsync).</summary>
    void Sync();
}
