namespace Gateway.Host.Configuration;

/// <summary>Which key was meant by one that does not exist.</summary>
internal static class KeyAdvisor
{
    private const int MaxNamed = 4;

    /// <summary>Options of the command line that are no keys.</summary>
    private static readonly string[] Verbs = ["help", "version", "hash-password"];

    /// <summary>With their colon: what stands behind it is free.</summary>
    private static readonly string[] FreeSections =
    [
        .. ConfigurationKeys.All.Where(one => one.Name.EndsWith('>')).Select(one => one.Name[..one.Name.IndexOf('<')]),
    ];

    private static readonly string[] Sections =
    [
        .. ConfigurationKeys.All.Where(one => one.Name.Contains(':', StringComparison.Ordinal))
            .Select(one => one.Name.Split(':')[0]).Distinct(),
    ];

    /// <summary>The path with N for each place in a list: <c>Users:N:Name</c>.</summary>
    public static string PatternOf(string key) => string.Join(
        ':', key.Split(':').Select(part => int.TryParse(part, out _) ? "N" : part));

    /// <summary>Whether the end of the key is the operator's own text: <c>Jwt:Roles:&lt;claim value&gt;</c>.</summary>
    public static bool IsFree(string key) => Array.Exists(
        FreeSections, section => key.StartsWith(section, StringComparison.OrdinalIgnoreCase) &&
            key.Length > section.Length);

    /// <summary>Of the key of a place in a list, that of the list.</summary>
    public static string WithoutLastPlace(string key) =>
        key.LastIndexOf(':') is > 0 and var colon && int.TryParse(key.AsSpan(colon + 1), out _) ? key[..colon] : key;

    /// <summary>A question to end the message with; empty where nothing is near.</summary>
    public static string SuggestionFor(string key)
    {
        var pattern = PatternOf(key);
        var names = ConfigurationKeys.All.Select(one => one.Name);
        if (!key.Contains(':', StringComparison.Ordinal))
            names = names.Concat(Verbs).Concat(Sections);
        var best = new List<string>();
        var least = int.MaxValue;
        foreach (var name in names)
        {
            var distance = Math.Min(Near(pattern, name), Near(pattern, WithoutPlace(name)));
            if (!key.Contains(':', StringComparison.Ordinal))
                distance = Math.Min(distance, Near(pattern, WithoutPlace(name).Split(':')[^1]) + 1);
            if (distance > least || distance > Tolerance(name) + 1)
                continue;
            if (distance < least)
                best.Clear();
            least = distance;
            best.Add(Fill(name, key));
        }

        return best.Count is 0 or > MaxNamed ? "" : $"; did you mean {string.Join(" or ", best)}?";
    }

    private static string WithoutPlace(string name) =>
        name.EndsWith(":N", StringComparison.Ordinal) ? name[..^2] : name;

    /// <summary>Whether the first part resembles one of our sections. The environment also holds keys of other
    /// programs.</summary>
    public static bool IsNearSection(string key)
    {
        var root = key.Split(':')[0];
        return Array.Exists(Sections, section => Near(root, section) <= Tolerance(section));
    }

    /// <summary>Replaces each N by the index that the user wrote.</summary>
    private static string Fill(string name, string key)
    {
        var places = new Queue<string>(key.Split(':').Where(part => int.TryParse(part, out _)));
        var parts = WithoutPlace(name).Split(':');
        for (var i = 0; i < parts.Length; i++)
        {
            if (parts[i] == "N")
                parts[i] = places.TryDequeue(out var place) ? place : "0";
        }

        var filled = string.Join(':', parts);
        return Verbs.Contains(name) || name == "Demo" ? "--" + filled.ToLowerInvariant() : filled;
    }

    private static int Tolerance(string name) => name.Length < 6 ? 1 : name.Length < 20 ? 2 : 3;

    /// <summary>The number of letters that are wrong, missing, surplus or exchanged with their neighbour; a large
    /// number above the tolerance.</summary>
    private static int Near(string written, string name)
    {
        const int Far = int.MaxValue / 2;
        if (Math.Abs(written.Length - name.Length) > Tolerance(name))
            return Far;
        var (a, b) = (written.ToUpperInvariant(), name.ToUpperInvariant());
        var costs = new int[a.Length + 1, b.Length + 1];
        for (var i = 0; i <= a.Length; i++)
        {
            for (var j = 0; j <= b.Length; j++)
            {
                if (i == 0 || j == 0)
                {
                    costs[i, j] = i + j;
                    continue;
                }

                var isSame = a[i - 1] == b[j - 1];
                costs[i, j] = Math.Min(
                    costs[i - 1, j - 1] + (isSame ? 0 : 1), Math.Min(costs[i - 1, j], costs[i, j - 1]) + 1);
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                    costs[i, j] = Math.Min(costs[i, j], costs[i - 2, j - 2] + 1);
            }
        }

        var distance = costs[a.Length, b.Length];
        return distance <= Tolerance(name) ? distance : Far;
    }
}
