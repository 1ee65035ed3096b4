using Gateway.Rest.Management;

namespace Gateway.Host.Configuration;

/// <summary>Every value in force and where it stands. Only keys of the gateway: most of an environment is not ours.
/// Secrets have no value, also those in a URL.</summary>
internal static class ConfigurationTable
{
    private const string Place = ":N";

    /// <summary>With what the last reload changed, and what waits for the next start.</summary>
    public static IReadOnlyList<ConfigurationValue> Read(ConfigurationState state)
    {
        var pending = ByKey(state.Pending);
        var last = ByKey(state.Last is { IsApplied: true } reload ? reload.Verdict.Changes : []);
        return
        [
            .. from value in Read(state.InForce)
               let list = KeyAdvisor.WithoutLastPlace(value.Key)
               let next = pending.GetValueOrDefault(value.Key) ?? pending.GetValueOrDefault(list)
               let change = last.GetValueOrDefault(value.Key) ?? last.GetValueOrDefault(list)
               select value with
               {
                   NeedsRestart = !LiveKeys.Contains(value.Key, state.Start),
                   IsPending = next is not null,
                   Next = next?.To,
                   IsChanged = change is { NeedsRestart: false },
                   Before = change is { NeedsRestart: false } ? change.From : null,
               },
        ];
    }

    private static Dictionary<string, ConfigurationChange> ByKey(IReadOnlyList<ConfigurationChange> changes) =>
        changes.ToDictionary(static change => change.Key, StringComparer.OrdinalIgnoreCase);

    public static IReadOnlyList<ConfigurationValue> Read(ConfigurationLayers layers) =>
    [
        .. from key in ConfigurationKeys.All
           from value in key.Name.Contains(Place, StringComparison.Ordinal)
               ? ListOf(layers, key)
               : [ValueOf(layers, key, key.Name)]
           select value,
    ];

    /// <summary>Its elements; where nobody gave any, the list with its default.</summary>
    private static IEnumerable<ConfigurationValue> ListOf(ConfigurationLayers layers, ConfigurationKey key)
    {
        var given = layers.Keys.Where(one => KeyAdvisor.PatternOf(one).Equals(
            key.Name, StringComparison.OrdinalIgnoreCase)).Order(StringComparer.OrdinalIgnoreCase).ToList();
        if (given.Count > 0)
            return given.Select(one => ValueOf(layers, key, one));
        var isPlainList = key.Name.EndsWith(Place, StringComparison.Ordinal) &&
            key.Name.IndexOf(Place, StringComparison.Ordinal) == key.Name.Length - Place.Length;
        var list = key.Name[..^Place.Length];
        return !isPlainList ? []
            : layers.IsGiven(list) ? [ValueOf(layers, key, list)]
            : [new ConfigurationValue(list, key.Default, "default", null)];
    }

    private static ConfigurationValue ValueOf(ConfigurationLayers layers, ConfigurationKey key, string path)
    {
        var given = layers.IsGiven(path) ? layers.Merged[path] ?? "" : null;
        var (origin, source) = OriginOf(layers, path);
        // An empty text stands for the default.
        var text = string.IsNullOrEmpty(given) && !path.EndsWith(Place, StringComparison.Ordinal)
            ? key.Default
            : given ?? "";
        var isHidden = key.IsSecret && !string.IsNullOrEmpty(given);
        return new ConfigurationValue(path, isHidden ? null : WithoutUser(text), origin, source);
    }

    public static (string Origin, string? Source) OriginOf(ConfigurationLayers layers, string path)
    {
        if (!layers.IsGiven(path))
            return ("default", null);
        return layers.OriginOf(path) switch
        {
            "the command line" => ("command line", null),
            "the environment" => ("environment", null),
            { Length: > 0 } file => ("file", file),
            _ => ("default", null),
        };
    }

    /// <summary>Without the password that a URL may hold.</summary>
    public static string WithoutUser(string text)
    {
        // Of the text as it stands: a parser escapes what a password may hold.
        var scheme = text.IndexOf("://", StringComparison.Ordinal);
        var at = text.LastIndexOf('@');
        return scheme >= 0 && at > scheme ? $"{text[..(scheme + 3)]}***{text[at..]}" : text;
    }
}
