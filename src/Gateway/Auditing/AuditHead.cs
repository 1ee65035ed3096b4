using System.Text;
using System.Text.Json;
using Gateway.Store.Files;

namespace Gateway.Host.Auditing;

/// <summary>Both ends of the chain as they were when the last lines were written, in a file of its own: without it
/// nobody could tell that lines at an end are missing. Written in place behind the lines: the chain may be longer,
/// never shorter.</summary>
/// <param name="FirstFile">Older ones have been deleted because there were too many.</param>
/// <param name="FirstNumber">Of the first line in it.</param>
/// <param name="Number">Of the last line.</param>
/// <param name="Hash">Of that line.</param>
internal sealed record AuditHead(long FirstFile, long FirstNumber, long Number, string Hash)
{
    public const string FileName = "head.json";

    /// <summary>One sector: it is written as a whole.</summary>
    private const int Bytes = 256;

    /// <summary>More lines than a disk ever sees.</summary>
    private const long MaxNumber = 1L << 52;

    public void Write(IStoreFile file)
    {
        var text = $"{{\"firstFile\":{FirstFile},\"first\":{FirstNumber},\"n\":{Number},\"hash\":\"{Hash}\"}}";
        file.Write(Encoding.UTF8.GetBytes(text.PadRight(Bytes - 1) + "\n"), 0);
    }

    /// <summary>False: it names no hash.</summary>
    public bool TryGetHash(Span<byte> hash) =>
        Hash.Length == 2 * AuditChain.HashBytes &&
        Convert.FromHexString(Hash, hash, out _, out _) == System.Buffers.OperationStatus.Done;

    /// <summary>Null: there is none, or none that can be read.</summary>
    public static AuditHead? Read(IStoreFiles files)
    {
        if (!files.List().Contains(FileName))
            return null;
        using var file = files.OpenToRead(FileName);
        var bytes = new byte[Bytes];
        var count = file.Read(bytes, 0);
        try
        {
            using var document = JsonDocument.Parse(bytes.AsMemory(0, count));
            var root = document.RootElement;
            var head = new AuditHead(
                root.GetProperty("firstFile").GetInt64(), root.GetProperty("first").GetInt64(),
                root.GetProperty("n").GetInt64(), root.GetProperty("hash").GetString() ?? "");
            return head is { FirstFile: >= 0, FirstNumber: >= 0, Number: >= 0 and <= MaxNumber } ? head : null;
        }
        catch (Exception error) when (
            error is JsonException or KeyNotFoundException or InvalidOperationException or FormatException)
        {
            return null;
        }
    }
}
