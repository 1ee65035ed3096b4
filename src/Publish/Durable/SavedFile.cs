using System.Buffers.Binary;
using System.Globalization;
using Gateway.Store.Files;
using Gateway.Store.Records;

namespace Gateway.Publish.Durable;

/// <summary>
/// The file of one durable subscription: records that are only appended, and a new file where too much of it is no
/// longer true. Its name is <c>&lt;id&gt;-&lt;generation&gt;.sub</c>.
/// <code>
/// 0  UInt32  length of the record without this head
/// 4  UInt32  CRC-32C of it
/// 8          record; its first byte is its SavedKind
/// </code>
/// Errors: IOException and UnauthorizedAccessException. Owner: the saver, one thread at a time.
/// </summary>
internal sealed class SavedFile : IDisposable
{
    public const int HeadBytes = 8;

    private const string Extension = ".sub";

    private readonly IStoreFile _file;

    public SavedFile(IStoreFiles files, uint id, int generation)
    {
        (Name, Generation) = (NameOf(id, generation), generation);
        _file = files.OpenToWrite(Name);
        _file.SetLength(0);
    }

    public string Name { get; }

    public int Generation { get; }

    public long Bytes { get; private set; }

    public static string NameOf(uint id, int generation) =>
        string.Create(CultureInfo.InvariantCulture, $"{id}-{generation}{Extension}");

    /// <summary>False: it is no such file.</summary>
    public static bool TryParseName(string name, out uint id, out int generation)
    {
        (id, generation) = (0, 0);
        var dash = name.IndexOf('-', StringComparison.Ordinal);
        return dash > 0 && name.EndsWith(Extension, StringComparison.Ordinal) &&
            uint.TryParse(name.AsSpan(0, dash), NumberStyles.None, CultureInfo.InvariantCulture, out id) &&
            int.TryParse(
                name.AsSpan()[(dash + 1)..^Extension.Length], NumberStyles.None, CultureInfo.InvariantCulture,
                out generation);
    }

    public void Append(ReadOnlySpan<byte> record)
    {
        Span<byte> head = stackalloc byte[HeadBytes];
        BinaryPrimitives.WriteInt32LittleEndian(head, record.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(head[sizeof(int)..], Crc32C.Of(record));
        _file.Write(head, Bytes);
        _file.Write(record, Bytes + HeadBytes);
        Bytes += HeadBytes + record.Length;
    }

    /// <summary>Returns when the disk has it.</summary>
    public void Sync() => _file.Sync();

    public void Dispose() => _file.Dispose();
}
