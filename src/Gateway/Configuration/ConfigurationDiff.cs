using Gateway.Rest.Management;

namespace Gateway.Host.Configuration;

/// <summary>The values that differ between two configurations. A key that is left out has its default, and only keys of
/// the gateway count: the environment holds others.</summary>
internal static class ConfigurationDiff
{
    private const string Place = ":N";

    private static readonly Dictionary<string, ConfigurationKey> ByPattern =
        ConfigurationKeys.All.ToDictionary(static key => key.Name, StringComparer.OrdinalIgnoreCase);

    private static readonly ConfigurationKey[] Free =
        [.. ConfigurationKeys.All.Where(static key => key.Name.EndsWith('>'))];

    /// <summary>In the order of their keys. A list of texts is one value.</summary>
    /// <param name="before">In force.</param>
    /// <param name="after">The next one.</param>
    /// <param name="start">That the gateway started with.</param>
    public static IReadOnlyList<ConfigurationChange> Between(
        ConfigurationLayers before, ConfigurationLayers after, ConfigurationLayers start)
    {
        var (old, now) = (new Side(before), new Side(after));
        return
        [
            .. from key in before.Keys.Union(after.Keys, StringComparer.OrdinalIgnoreCase)
               let known = Find(key)
               where known is not null
               group known by NameOf(key, known) into one
               let change = (From: old.TextOf(one.Key, one.First()), To: now.TextOf(one.Key, one.First()))
               where change.From != change.To
               orderby one.Key
               select Change(
                   one.Key, one.First(), change.From, change.To, LiveKeys.Contains(one.Key, start)),
        ];
    }

    /// <summary>Null: it is no key of the gateway, or the name of a list.</summary>
    public static ConfigurationKey? Find(string key) =>
        ByPattern.GetValueOrDefault(KeyAdvisor.PatternOf(key)) ?? Array.Find(
            Free, one => key.StartsWith(one.Name[..one.Name.IndexOf('<')], StringComparison.OrdinalIgnoreCase));

    private static bool IsList(ConfigurationKey key) => key.Name.EndsWith(Place, StringComparison.Ordinal);

    private static string NameOf(string key, ConfigurationKey known) =>
        IsList(known) ? KeyAdvisor.WithoutLastPlace(key) : key;

    private static ConfigurationChange Change(
        string key, ConfigurationKey known, string? from, string? to, bool isLive) =>
        new(key, Shown(from, known), Shown(to, known), known.IsSecret, !isLive);

    private static string? Shown(string? text, ConfigurationKey key) =>
        text is null || key.IsSecret ? null : ConfigurationTable.WithoutUser(text);

    /// <summary>One of the two, with the list elements that it has.</summary>
    private sealed class Side(ConfigurationLayers layers)
    {
        private readonly HashSet<string> _elements = new(
            layers.Keys.Select(ElementOf).OfType<string>(), StringComparer.OrdinalIgnoreCase);

        /// <summary>Null: there is none.</summary>
        public string? TextOf(string key, ConfigurationKey known)
        {
            var text = IsList(known)
                ? string.Join(", ", layers.Merged.GetSection(key).GetChildren().Select(static one => one.Value))
                : layers.Merged[key];
            if (!string.IsNullOrEmpty(text))
                return bool.TryParse(text, out var flag) ? (flag ? "true" : "false") : text;
            var isThere = ElementOf(key) is not { } element || _elements.Contains(element);
            return isThere && !known.Name.EndsWith('>') ? known.Default : null;
        }

        /// <summary>The path up to the last index; null: the key is of no list.</summary>
        private static string? ElementOf(string key)
        {
            for (var end = key.Length; end > 0; end = key.LastIndexOf(':', end - 1))
            {
                var start = key.LastIndexOf(':', end - 1);
                if (int.TryParse(key.AsSpan((start + 1)..end), out _))
                    return key[..end];
            }

            return null;
        }
    }
}
