namespace Gateway.Host.Configuration;

/// <summary>The command line: <c>--Key=Value</c> or <c>--Key Value</c>, and <c>--demo</c>. Unlike the runtime's own
/// provider it reports every argument that it does not understand.</summary>
internal sealed class ArgumentsProvider(string[] arguments) : ConfigurationProvider, IConfigurationSource
{
    private const string Demo = "Demo";

    /// <summary>Errors of the command line itself. They do not repeat values, which may be secrets.</summary>
    public List<string> Errors { get; } = [];

    /// <summary>Keys without a value. They are in the configuration, so that unknown ones are reported as unknown keys.
    /// </summary>
    public HashSet<string> Bare { get; } = new(StringComparer.OrdinalIgnoreCase);

    public IConfigurationProvider Build(IConfigurationBuilder builder) => this;

    public override void Load()
    {
        for (var i = 0; i < arguments.Length; i++)
        {
            var (key, value) = Split(arguments[i]);
            if (key is null)
            {
                Errors.Add($"Argument {i + 1} belongs to no key: write --Key=Value, with quotes around a value that "
                    + "has spaces");
                continue;
            }

            if (value is null && key.Equals(Demo, StringComparison.OrdinalIgnoreCase))
                value = bool.TrueString;
            else if (value is null && i + 1 < arguments.Length && Split(arguments[i + 1]).Key is null)
                value = arguments[++i];
            if (value is null)
                Bare.Add(key);
            Set(key, value ?? "");
        }
    }

    /// <summary>A null key: the argument is no option.</summary>
    private static (string? Key, string? Value) Split(string argument)
    {
        if (!argument.StartsWith("--", StringComparison.Ordinal) || argument.Length < 3 || argument[2] == '=')
            return (null, null);
        var end = argument.IndexOf('=', StringComparison.Ordinal);
        return end < 0 ? (argument[2..], null) : (argument[2..end], argument[(end + 1)..]);
    }
}
