using Microsoft.Win32.SafeHandles;

namespace Gateway.Store.Files;

internal sealed class DiskFile(SafeFileHandle handle) : IStoreFile
{
    public long Length => RandomAccess.GetLength(handle);

    public int Read(Span<byte> bytes, long offset)
    {
        var total = 0;
        while (total < bytes.Length)
        {
            var count = RandomAccess.Read(handle, bytes[total..], offset + total);
            if (count == 0)
                break;
            total += count;
        }

        return total;
    }

    public void Write(ReadOnlySpan<byte> bytes, long offset) => RandomAccess.Write(handle, bytes, offset);

    public void SetLength(long length) => RandomAccess.SetLength(handle, length);

    public void Sync() => RandomAccess.FlushToDisk(handle);

    public void Dispose() => handle.Dispose();
}
