namespace Gateway.PubSub.Options;

/// <summary>Collects errors, each with the full key of its option.</summary>
public sealed class OptionErrors(string path)
{
    private readonly string _path = path;

    private OptionErrors(string path, List<string> all)
        : this(path) => All = all;

    public List<string> All { get; } = [];

    /// <summary>For the options of a section below.</summary>
    public OptionErrors Below(string section) => new($"{_path}:{section}", All);

    public void Demand(bool holds, string key, string problem)
    {
        if (!holds)
            All.Add($"{_path}:{key}: {problem}");
    }

    /// <param name="names">Of the elements of a list, in order.</param>
    /// <param name="list">Its key.</param>
    /// <param name="key">The option of an element that must differ.</param>
    public void DemandUnique<T>(IEnumerable<T> names, string list, string key)
    {
        var known = new HashSet<T>();
        var index = 0;
        foreach (var name in names)
            Demand(known.Add(name), $"{list}:{index++}:{key}", $"'{name}' is there twice");
    }
}
