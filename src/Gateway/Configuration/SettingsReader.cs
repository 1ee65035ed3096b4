using System.Globalization;

namespace Gateway.Host.Configuration;

/// <summary>Reads typed values and keeps every error with its key's full path, so that all of them are told at once.
/// Keys of a known section that nobody asked for are errors too: they are misspelt.</summary>
internal sealed class SettingsReader(IConfiguration configuration)
{
    private readonly HashSet<string> _read = new(StringComparer.OrdinalIgnoreCase);

    public List<string> Errors { get; } = [];

    public void Error(string key, string problem) => Errors.Add($"{key}: {problem}");

    public string Text(string key, string byDefault = "")
    {
        _read.Add(key);
        return configuration[key] ?? byDefault;
    }

    public bool Flag(string key, bool byDefault) =>
        Parse(key, byDefault, "is neither true nor false", static (string text, out bool value) =>
            bool.TryParse(text, out value));

    public int Number(string key, int byDefault, int minimum, int maximum)
    {
        var value = Parse(key, byDefault, "is no whole number", static (string text, out int number) =>
            int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number));
        if (value >= minimum && value <= maximum)
            return value;
        Error(key, $"{value} is not between {minimum} and {maximum}");
        return byDefault;
    }

    /// <summary>A number of seconds.</summary>
    public TimeSpan Seconds(string key, double byDefault, double maximum)
    {
        var value = Parse(key, byDefault, "is no number of seconds", static (string text, out double number) =>
            double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out number));
        if (value >= 0 && value <= maximum)
            return TimeSpan.FromSeconds(value);
        Error(key, $"{value} is not between 0 and {maximum} seconds");
        return TimeSpan.FromSeconds(byDefault);
    }

    /// <summary><c>Key:0</c>, <c>Key:1</c> …, or one text with commas.</summary>
    public string[] List(string key)
    {
        _read.Add(key);
        var section = configuration.GetSection(key);
        var items = section.GetChildren().ToArray();
        foreach (var item in items)
            _read.Add(item.Path);
        return items.Length > 0
            ? [.. items.Select(item => item.Value ?? "")]
            : (section.Value ?? "").Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
    }

    /// <summary>The paths of an array's elements.</summary>
    public string[] Elements(string key) => [.. configuration.GetSection(key).GetChildren().Select(one => one.Path)];

    public string[] Keys(string key) => [.. configuration.GetSection(key).GetChildren().Select(one => one.Key)];

    public void CheckForUnknownKeys(params string[] sections)
    {
        foreach (var section in sections)
            CheckForUnknownKeys(configuration.GetSection(section));
    }

    private void CheckForUnknownKeys(IConfigurationSection section)
    {
        foreach (var child in section.GetChildren())
        {
            if (_read.Contains(child.Path))
                continue;
            if (child.Value is not null)
                Error(child.Path, "is no key of the gateway");
            CheckForUnknownKeys(child);
        }
    }

    private T Parse<T>(string key, T byDefault, string problem, TryParse<T> parse)
    {
        var text = Text(key);
        if (text.Length == 0)
            return byDefault;
        if (parse(text, out var value))
            return value;
        Error(key, $"'{text}' {problem}");
        return byDefault;
    }

    private delegate bool TryParse<T>(string text, out T value);
}
