namespace Gateway.Host.Importing;

/// <summary>The losses and the decisions of an import. Each line comes once, with how often.</summary>
internal sealed class ImportNotes
{
    private readonly List<string> _order = [];
    private readonly Dictionary<string, int> _counts = new(StringComparer.Ordinal);

    /// <summary>Something of the file is not in the configuration.</summary>
    public bool HasLosses { get; private set; }

    public void Lost(string text)
    {
        HasLosses = true;
        Add("left out: " + text);
    }

    public void Decided(string text) => Add("note: " + text);

    public void WriteTo(TextWriter output)
    {
        foreach (var text in _order)
            output.Write(_counts[text] == 1 ? text + "\n" : $"{text} ({_counts[text]} times)\n");
    }

    private void Add(string text)
    {
        if (_counts.TryAdd(text, 1))
            _order.Add(text);
        else
            _counts[text]++;
    }
}
