using System.Security.Cryptography;

namespace Gateway.Codec.Pooling;

/// <summary>Hashes the content of files that are looked at all the time. Threads: any.</summary>
public static class FileHash
{
    private const int PieceBytes = 16 * 1024;

    /// <summary>In pieces, which are wiped: the file may hold a key or passwords (R39). One that is too large is not
    /// read. Errors: those of opening and reading a file.</summary>
    /// <param name="hash">Gets the content.</param>
    /// <param name="path">Of the file; others may change it meanwhile.</param>
    /// <param name="maxBytes">Of a file that is read.</param>
    public static void Append(IncrementalHash hash, string path, long maxBytes)
    {
        ArgumentNullException.ThrowIfNull(hash);
        using var file = File.OpenHandle(
            path, share: FileShare.ReadWrite | FileShare.Delete, options: FileOptions.SequentialScan);
        if (RandomAccess.GetLength(file) > maxBytes)
            return;
        var piece = ByteArrays.Rent(PieceBytes);
        try
        {
            var offset = 0L;
            for (var read = 1; read > 0 && offset <= maxBytes; offset += read)
            {
                read = RandomAccess.Read(file, piece, offset);
                hash.AppendData(piece, 0, read);
            }
        }
        finally
        {
            ByteArrays.Return(piece, clear: true);
        }
    }
}
