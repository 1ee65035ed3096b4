namespace Gateway.Host.Configuration;

/// <summary>One key of the configuration, for <c>--help</c> and the check for unknown keys.</summary>
/// <param name="Name">Its path; N stands for an index in a list.</param>
/// <param name="Default">The value if the key is absent.</param>
/// <param name="Meaning">A short sentence.</param>
/// <param name="IsSecret">Its value is shown to nobody.</param>
internal sealed record ConfigurationKey(string Name, string Default, string Meaning, bool IsSecret = false)
{
    /// <summary>True for a number that has no number as its default.</summary>
    public bool IsNumber { get; init; }

    /// <summary>A running gateway takes a new value; false: only the next start does.</summary>
    public bool IsLive => LiveKeys.Contains(Name);

    /// <summary>The values that it may have; empty: any.</summary>
    public IReadOnlyList<string> Choices { get; init; } = [];
}
