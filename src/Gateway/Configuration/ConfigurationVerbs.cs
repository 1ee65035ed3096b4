using System.Text.Encodings.Web;
using System.Text.Json;

namespace Gateway.Host.Configuration;

/// <summary><c>config check FILE</c>, <c>config diff A B</c>, <c>config schema</c>, <c>config docs</c>: commands about
/// configuration files that start no server. Exit codes: 0 all is well or nothing differs, 1 it is not, 2 the command
/// itself is wrong.</summary>
internal static class ConfigurationVerbs
{
    public const string Name = "config";

    private const int Wrong = 1;
    private const int Misused = 2;

    private const string Usage = """
        config check FILE     says what is wrong in an appsettings.json, as the start would
        config diff A B       says which keys differ between two of them
        config schema         prints the JSON Schema of an appsettings.json
        config docs           prints each key, its default and its meaning as Markdown
        """;

    private static readonly JsonSerializerOptions Indented = new()
    {
        WriteIndented = true,
        NewLine = "\n",
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    public static int Run(ReadOnlySpan<string> arguments, TextWriter output, TextWriter errors)
    {
        try
        {
            switch (arguments)
            {
                case ["check", var file]:
                    return Check(file, output);
                case ["diff", var one, var other]:
                    return Compare(one, other, output);
                case ["schema"]:
                    output.Write(ConfigurationSchema.Make(withSecrets: true).ToJsonString(Indented) + "\n");
                    return 0;
                case ["schema", "--without-secrets"]:
                    output.Write(ConfigurationSchema.Make(withSecrets: false).ToJsonString(Indented) + "\n");
                    return 0;
                case ["docs"]:
                    WriteDocs(output);
                    return 0;
                default:
                    errors.Write(Usage + "\n");
                    return Misused;
            }
        }
        catch (InvalidDataException error)
        {
            errors.Write(error.Message + "\n");
            return Wrong;
        }
    }

    /// <summary>With the environment, which has the secrets.</summary>
    private static int Check(string file, TextWriter output)
    {
        var options = new GatewayOptions(new ConfigurationLayers(Read(file).AddEnvironmentVariables().Build()));
        var errors = options.FindErrors();
        foreach (var error in errors)
            output.Write(error + "\n");
        if (errors.Count == 0)
            output.Write($"{file}: the gateway would start with it\n");
        return errors.Count == 0 ? 0 : Wrong;
    }

    private static int Compare(string one, string other, TextWriter output)
    {
        var (before, after) = (ValuesOf(one), ValuesOf(other));
        var keys = before.Keys.Union(after.Keys, StringComparer.OrdinalIgnoreCase)
            .Where(key => before.GetValueOrDefault(key) != after.GetValueOrDefault(key))
            .Order(StringComparer.OrdinalIgnoreCase).ToList();
        foreach (var key in keys)
        {
            output.Write(IsSecret(key)
                ? $"{key}: differs\n"
                : $"{key}: {before.GetValueOrDefault(key) ?? "(none)"} → {after.GetValueOrDefault(key) ?? "(none)"}\n");
        }

        return keys.Count == 0 ? 0 : Wrong;
    }

    private static bool IsSecret(string key)
    {
        var pattern = KeyAdvisor.PatternOf(key);
        return ConfigurationKeys.All.Any(one =>
            one.IsSecret && one.Name.Equals(pattern, StringComparison.OrdinalIgnoreCase));
    }

    private static Dictionary<string, string> ValuesOf(string file) => Read(file).Build().AsEnumerable()
        .Where(static pair => pair.Value is not null)
        .ToDictionary(static pair => pair.Key, static pair => pair.Value!, StringComparer.OrdinalIgnoreCase);

    private static ConfigurationBuilder Read(string file)
    {
        if (!File.Exists(file))
            throw new InvalidDataException($"{file}: there is no such file");
        var builder = new ConfigurationBuilder();
        CommandLine.AddFile(builder, Path.GetFullPath(file));
        return builder;
    }

    private static void WriteDocs(TextWriter output)
    {
        output.Write("| Key | Default | A change needs | Meaning |\n| --- | --- | --- | --- |\n");
        foreach (var key in ConfigurationKeys.All)
            output.Write(
                $"| `{key.Name}` | {Cell(key.Default)} | {(key.IsLive ? "a reload" : "a restart")} "
                + $"| {Cell(key.Meaning)} |\n");
    }

    private static string Cell(string text) => text.Replace("|", "\\|", StringComparison.Ordinal);
}
