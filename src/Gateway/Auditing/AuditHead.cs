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

    public void Write(IStoreFile file)
    {
        var text = $"{{\"firstFile\":{FirstFile},\"first\":{FirstNumber},\"n\":{Number},\"hash\":\"{Hash}\"}}";
        file.Write(Encoding.UTF8.GetBytes(text.PadRight(Bytes - 1) + "\n"), 0);
    }

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
            return new AuditHead(
                root.GetProperty("firstFile").GetInt64(), root.GetProperty("first").GetInt64(),
                root.GetProperty("n").GetInt64(), root.GetProperty("hash").GetString() ?? "");
        }
        catch (Exception error) when (
            error is JsonException or KeyNotFoundException or InvalidOperationException or FormatException)
        {
            return null;
        }
    }
}
