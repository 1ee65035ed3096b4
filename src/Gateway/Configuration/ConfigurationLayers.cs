using System.Globalization;
using Microsoft.Extensions.Configuration.EnvironmentVariables;
using Microsoft.Extensions.Configuration.Json;

namespace Gateway.Host.Configuration;

/// <summary>
/// The merged configuration of files, environment and command line. A single value comes from the provider with the
/// highest precedence. So does a list, as a whole: the runtime would merge lists element by element, and a user could
/// not shorten a list. For a list of users or upstreams, a provider that gives at least one Name replaces the list. A
/// provider that gives no Name only adds to the elements below it, such as a password from the environment.
/// </summary>
internal sealed class ConfigurationLayers
{
    private const string Demo = "Demo";
    private const string ElementName = "Name";

    private readonly Dictionary<string, string?> _values = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<string, IConfigurationProvider> _origins = new(StringComparer.OrdinalIgnoreCase);

    private ConfigurationSource? _source;

    public ConfigurationLayers(IConfigurationRoot configuration)
    {
        foreach (var provider in configuration.Providers)
        {
            var own = new Dictionary<string, string?>(StringComparer.OrdinalIgnoreCase);
            Collect(provider, null, own);
            foreach (var list in ReplacedBy(own))
                Remove(list);
            foreach (var (key, value) in own)
            {
                _values[key] = value;
                _origins[key] = provider;
            }
        }

        SplitTexts();
        Merged = new ConfigurationBuilder().AddInMemoryCollection(_values).Build();
        Files = [.. configuration.Providers.OfType<JsonConfigurationProvider>().Select(FileOf).OfType<string>()];
        Arguments = configuration.Providers.OfType<ArgumentsProvider>().LastOrDefault();
    }

    /// <summary>The values of one, and of another those keys that a running gateway keeps as they are.</summary>
    /// <param name="next">Given last.</param>
    /// <param name="before">In force until now.</param>
    /// <param name="isKept">By key.</param>
    private ConfigurationLayers(ConfigurationLayers next, ConfigurationLayers before, Func<string, bool> isKept)
    {
        foreach (var (from, takes) in new[] { (next, (Func<string, bool>)(key => !isKept(key))), (before, isKept) })
        {
            foreach (var (key, value) in from._values.Where(one => takes(one.Key)))
            {
                _values[key] = value;
                _origins[key] = from._origins[key];
            }
        }

        Merged = new ConfigurationBuilder().AddInMemoryCollection(_values).Build();
        (Files, Arguments, Source) = (next.Files, next.Arguments, next.Source);
    }

    public IConfigurationRoot Merged { get; }

    /// <summary>These values, but for the keys that stay as they were.</summary>
    /// <param name="before">In force until now.</param>
    /// <param name="isKept">Whether a key stays.</param>
    public ConfigurationLayers Keeping(ConfigurationLayers before, Func<string, bool> isKept) =>
        new(this, before, isKept);

    /// <summary>Of these layers; that of an empty command line where nobody says otherwise.</summary>
    public ConfigurationSource Source { get => _source ??= new([]); init => _source = value; }

    /// <summary>True: they are only judged, so that costly work for their use can be spared.</summary>
    public bool IsCandidate { get; init; }

    /// <summary>The files that were read, with their full paths, lowest precedence first.</summary>
    public IReadOnlyList<string> Files { get; }

    /// <summary>Null: there is no command line.</summary>
    public ArgumentsProvider? Arguments { get; }

    /// <summary>Every given key, also without a value.</summary>
    public IEnumerable<string> Keys => _values.Keys;

    /// <summary>Whether any key of a section is given.</summary>
    public bool HasAny(string section) =>
        Keys.Any(key => key.StartsWith(section + ":", StringComparison.OrdinalIgnoreCase));

    /// <summary>True also for an empty list or text.</summary>
    public bool IsGiven(string key) => _values.ContainsKey(key);

    public bool IsFromEnvironment(string key) => _origins[key] is EnvironmentVariablesConfigurationProvider;

    /// <summary>Not given by the command line or the environment.</summary>
    public bool IsOfFile(string key) => _origins.TryGetValue(key, out var origin) &&
        origin is not (ArgumentsProvider or EnvironmentVariablesConfigurationProvider);

    /// <summary>The file or provider of the key, as text; empty if unknown.</summary>
    public string OriginOf(string key) => _origins.GetValueOrDefault(key) switch
    {
        JsonConfigurationProvider file => FileOf(file) ?? "",
        ArgumentsProvider => "the command line",
        EnvironmentVariablesConfigurationProvider => "the environment",
        ChainedConfigurationProvider => "the request",
        _ => "",
    };

    /// <summary>A single text instead of a list is a list too, separated by commas.</summary>
    private void SplitTexts()
    {
        var lists = ConfigurationKeys.All
            .Where(key => key.Name.EndsWith(":N", StringComparison.Ordinal))
            .Select(key => key.Name[..^2])
            .ToHashSet(StringComparer.OrdinalIgnoreCase);
        foreach (var (key, text) in _values.ToArray())
        {
            if (string.IsNullOrEmpty(text) || !lists.Contains(KeyAdvisor.PatternOf(key)) ||
                _values.Keys.Any(other => other.StartsWith(key + ":", StringComparison.OrdinalIgnoreCase)))
                continue;
            _values[key] = "";
            var items = text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
            for (var i = 0; i < items.Length; i++)
            {
                var place = ConfigurationPath.Combine(key, i.ToString(CultureInfo.InvariantCulture));
                (_values[place], _origins[place]) = (items[i], _origins[key]);
            }
        }
    }

    private static string? FileOf(JsonConfigurationProvider provider)
    {
        var file = provider.Source.FileProvider?.GetFileInfo(provider.Source.Path ?? "");
        return file is { Exists: true } ? file.PhysicalPath : null;
    }

    private static void Collect(IConfigurationProvider provider, string? parent, Dictionary<string, string?> values)
    {
        foreach (var name in provider.GetChildKeys([], parent).Distinct(StringComparer.OrdinalIgnoreCase))
        {
            var key = parent is null ? name : ConfigurationPath.Combine(parent, name);
            // Most environment variables belong to other programs: a variable USERS is no list of users.
            var isForeign = parent is null && provider is EnvironmentVariablesConfigurationProvider &&
                !key.Equals(Demo, StringComparison.OrdinalIgnoreCase);
            if (!isForeign && provider.TryGet(key, out var value))
                values[key] = value;
            Collect(provider, key, values);
        }
    }

    private static HashSet<string> ReplacedBy(Dictionary<string, string?> own)
    {
        var lists = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        foreach (var key in own.Keys)
        {
            // A text or an empty list instead of a list.
            lists.Add(key);
            for (var end = key.IndexOf(':', StringComparison.Ordinal); end > 0; end = key.IndexOf(':', end + 1))
            {
                var list = key[..end];
                if (IsPlace(key, end) && !IsAddition(list, own))
                    lists.Add(list);
            }
        }

        return lists;
    }

    /// <summary>True if the provider gives only fields of elements, and no Name.</summary>
    private static bool IsAddition(string list, Dictionary<string, string?> own)
    {
        foreach (var key in own.Keys)
        {
            if (!key.StartsWith(list + ":", StringComparison.OrdinalIgnoreCase))
                continue;
            var rest = key[(list.Length + 1)..].Split(':');
            var isName = rest.Length == 2 && rest[1].Equals(ElementName, StringComparison.OrdinalIgnoreCase);
            if (rest.Length < 2 || isName)
                return false;
        }

        return true;
    }

    private void Remove(string list)
    {
        foreach (var key in _values.Keys.Where(key => IsOf(key, list)).ToArray())
        {
            _values.Remove(key);
            _origins.Remove(key);
        }
    }

    private static bool IsOf(string key, string list) =>
        key.Equals(list, StringComparison.OrdinalIgnoreCase) ||
        (key.StartsWith(list + ":", StringComparison.OrdinalIgnoreCase) && IsPlace(key, list.Length));

    /// <summary>Whether an index follows that colon.</summary>
    private static bool IsPlace(string key, int colon)
    {
        var end = key.IndexOf(':', colon + 1);
        return int.TryParse(key.AsSpan((colon + 1)..(end < 0 ? key.Length : end)), out _);
    }
}
