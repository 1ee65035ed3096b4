using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Gateway.Host.Importing;

/// <summary><c>import FILE</c>: prints a configuration with what another program published (docs/migration.md). Exit
/// codes: 0 all of it, 1 standard error says what is missing, 2 there is nothing to print.</summary>
internal static class ImportVerb
{
    public const string Name = "import";

    private const int Incomplete = 1;
    private const int Misused = 2;
    private const int MaxFileBytes = 64 * 1024 * 1024;

    private const string Usage = """
        import FILE [OPTION…]    prints the configuration that does what OPC Publisher does with FILE (pn.json)
          --broker URL           the broker to publish to; mqtt://localhost:1883
          --ns INDEX=URI         what a namespace index of the servers means, for node ids with ns=; any number of times
          --with-passwords       prints the passwords of the servers, too
        """;

    private static readonly JsonSerializerOptions Indented = new()
    {
        WriteIndented = true,
        NewLine = "\n",
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    public static int Run(ReadOnlySpan<string> arguments, TextWriter output, TextWriter errors)
    {
        var (file, broker, withPasswords) = (string.Empty, "mqtt://localhost:1883", false);
        var namespaces = new Dictionary<ushort, string>();
        for (var i = 0; i < arguments.Length; i++)
        {
            var next = i + 1 < arguments.Length ? arguments[i + 1] : string.Empty;
            switch (arguments[i])
            {
                case "--with-passwords":
                    withPasswords = true;
                    break;
                case "--broker" when next.Length > 0:
                    (broker, i) = (next, i + 1);
                    break;
                case "--ns" when TryAddNamespace(namespaces, next):
                    i++;
                    break;
                case var text when text.Length > 0 && text[0] != '-' && file.Length == 0:
                    file = text;
                    break;
                default:
                    errors.Write(Usage + "\n");
                    return Misused;
            }
        }

        if (file.Length > 0)
            return Convert(file, new PublishedNodesImport(namespaces, broker, withPasswords), output, errors);
        errors.Write(Usage + "\n");
        return Misused;
    }

    private static bool TryAddNamespace(Dictionary<ushort, string> namespaces, string text)
    {
        var equals = text.IndexOf('=', StringComparison.Ordinal);
        if (equals < 1 || equals == text.Length - 1 ||
            !ushort.TryParse(text.AsSpan(0, equals), NumberStyles.None, CultureInfo.InvariantCulture, out var index))
            return false;
        namespaces[index] = text[(equals + 1)..];
        return true;
    }

    private static int Convert(string file, PublishedNodesImport import, TextWriter output, TextWriter errors)
    {
        try
        {
            if (new FileInfo(file) is { Exists: true, Length: > MaxFileBytes })
                throw new InvalidDataException($"it is longer than {MaxFileBytes} bytes");
            var json = import.Convert(File.ReadAllText(file));
            output.Write(json.ToJsonString(Indented) + "\n");
            import.Notes.WriteTo(errors);
            return import.Notes.HasLosses ? Incomplete : 0;
        }
        catch (Exception error) when (
            error is JsonException or InvalidDataException or IOException or UnauthorizedAccessException)
        {
            errors.Write($"{file}: {error.Message}\n");
            return Misused;
        }
    }
}
