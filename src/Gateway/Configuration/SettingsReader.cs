using System.Globalization;

namespace Gateway.Host.Configuration;

/// <summary>Reads typed values and collects every error with its key's full path, so that the start reports all of them
/// together. An unknown key is an error too, because it is probably misspelt. Only the environment may hold keys of
/// other programs.</summary>
internal sealed class SettingsReader(ConfigurationLayers layers)
{
    private readonly IConfigurationRoot _configuration = layers.Merged;

    public List<string> Errors { get; } = [];

    /// <summary>Settings without effect that do not prevent the start.</summary>
    public List<string> Warnings { get; } = [];

    /// <summary>Whether <c>Demo</c> is on. False for an invalid value; the section of Demo reports it.</summary>
    public bool IsDemo => bool.TryParse(Text(DemoOptions.Key), out var isDemo) && isDemo;

    /// <inheritdoc cref="ConfigurationLayers.IsCandidate"/>
    public bool IsCandidate => layers.IsCandidate;

    /// <summary>Reads a value of another section without reporting its errors, because that section reports them.
    /// </summary>
    public T Quietly<T>(Func<SettingsReader, T> read) => read(new SettingsReader(layers));

    public void Error(string key, string problem) => Errors.Add($"{key}: {problem}");

    public string Text(string key, string byDefault = "") => _configuration[key] ?? byDefault;

    /// <summary>A text that must not be empty.</summary>
    public string Named(string key, string byDefault)
    {
        var text = Text(key, byDefault);
        if (string.IsNullOrWhiteSpace(text))
            Error(key, "is empty");
        return text;
    }

    /// <summary>True also for an empty value.</summary>
    public bool IsGiven(string key) => layers.IsGiven(key);

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

    /// <summary>Without a range check.</summary>
    public long LongNumber(string key, long byDefault) =>
        Parse(key, byDefault, "is no whole number", static (string text, out long number) =>
            long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number));

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

    /// <summary>A number of milliseconds, without a range check.</summary>
    public double Milliseconds(string key, double byDefault) =>
        Parse(key, byDefault, "is no number of milliseconds", static (string text, out double number) =>
            double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out number));

    /// <summary>A name of an enum, in any case.</summary>
    public T Choice<T>(string key, T byDefault)
        where T : struct, Enum => Parse(
            key, byDefault, $"is not one of {string.Join(", ", Enum.GetNames<T>()).ToLowerInvariant()}",
            static (string text, out T value) =>
                Enum.TryParse(text, ignoreCase: true, out value) && !char.IsAsciiDigit(text[0]) && text[0] != '-');

    /// <summary>A number with a fraction, without a range check.</summary>
    public double Real(string key, double byDefault) =>
        Parse(key, byDefault, "is no number", static (string text, out double number) =>
            double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out number));

    /// <summary><c>Key:0</c>, <c>Key:1</c> … of the provider that has the list with the highest precedence.</summary>
    public string[] List(string key)
    {
        var section = _configuration.GetSection(key);
        if (!string.IsNullOrEmpty(section.Value))
            Error(key, "is there as a list and as one text; keep one");
        return [.. section.GetChildren().Select(item => item.Value ?? "")];
    }

    /// <summary>As <see cref="List"/>, for lists whose empty form could be misunderstood.</summary>
    public string[] NonEmptyList(string key)
    {
        var items = List(key);
        if (items.Length == 0 && IsGiven(key))
            Error(key, "is an empty list: name at least one, or leave the key out");
        return items;
    }

    /// <summary>Whether any key of a section is given.</summary>
    public bool HasAny(string section) => layers.HasAny(section);

    /// <summary>Every text below a section, by the rest of its key, which is the operator's: it may have colons in it.
    /// The places of a list are one text with commas.</summary>
    public IEnumerable<(string Name, string Text)> Texts(string section) => layers.Keys
        .Where(key => key.StartsWith(section + ":", StringComparison.OrdinalIgnoreCase))
        .Select(key => (Name: KeyAdvisor.WithoutLastPlace(key[(section.Length + 1)..]), Text: Text(key)))
        .Where(one => one.Text.Length > 0)
        .GroupBy(static one => one.Name, StringComparer.Ordinal)
        .Select(static group => (group.Key, string.Join(',', group.Select(one => one.Text))));

    /// <summary>The paths of an array's elements.</summary>
    public string[] Elements(string key) => [.. _configuration.GetSection(key).GetChildren().Select(one => one.Path)];

    /// <summary>The names of the keys and sections in a section.</summary>
    public IEnumerable<string> Names(string section) =>
        _configuration.GetSection(section).GetChildren().Select(static one => one.Key);

    /// <summary>Only keys in <see cref="ConfigurationKeys"/> are known. A key that the program reads but that is not
    /// listed there becomes an error as soon as a user sets it.</summary>
    public void CheckForUnknownKeys()
    {
        var patterns = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        var sections = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        foreach (var name in ConfigurationKeys.All.Select(key => key.Name))
        {
            patterns.Add(name);
            if (name.EndsWith(":N", StringComparison.Ordinal))
                patterns.Add(name[..^2]);
            for (var end = name.IndexOf(':', StringComparison.Ordinal); end > 0; end = name.IndexOf(':', end + 1))
                sections.Add(name[..end]);
        }

        foreach (var key in layers.Keys.Order(StringComparer.OrdinalIgnoreCase))
        {
            var isKnown = patterns.Contains(KeyAdvisor.PatternOf(key)) || KeyAdvisor.IsFree(key);
            var isForeign = layers.IsFromEnvironment(key) && !sections.Contains(key.Split(':')[0]);
            if (isKnown)
                CheckForValue(key);
            else if (isForeign)
                WarnOfNearMiss(key);
            else if (!sections.Contains(KeyAdvisor.PatternOf(key)))
                Error(key, $"is no key of the gateway{Origin(key)}{KeyAdvisor.SuggestionFor(key)}");
            else if (!string.IsNullOrEmpty(_configuration[key]) || IsBare(key))
                Error(key, $"is a section and takes no value itself{Origin(key)}");
        }
    }

    /// <summary>The variable may belong to another program, so it is no error; but one that resembles our keys gets a
    /// warning.</summary>
    private void WarnOfNearMiss(string key)
    {
        if (KeyAdvisor.IsNearSection(key) && KeyAdvisor.SuggestionFor(key) is { Length: > 0 } suggestion)
            Warnings.Add(
                $"{key.Replace(":", "__", StringComparison.Ordinal)}: is no key of the gateway{Origin(key)} and has no "
                + $"effect{suggestion}");
    }

    private void CheckForValue(string key)
    {
        if (IsBare(key))
            Error(key, $"has no value: write --{key}=<value>");
    }

    private bool IsBare(string key) => layers.Arguments?.Bare.Contains(key) == true;

    private string Origin(string key) => layers.OriginOf(key) is { Length: > 0 } origin ? $" ({origin})" : "";

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
