namespace Gateway.Rest.Management;

/// <summary>One key of the configuration and its value in force.</summary>
/// <param name="Key">As on the command line: <c>OpcUa:Port</c>.</param>
/// <param name="Value">Null for a secret.</param>
/// <param name="Origin">default, file, environment, command line.</param>
/// <param name="Source">The file's path; null for other origins.</param>
public sealed record ConfigurationValue(string Key, string? Value, string Origin, string? Source)
{
    /// <summary>A running gateway does not take another value.</summary>
    public bool NeedsRestart { get; init; }

    /// <summary>The next start takes another value.</summary>
    public bool IsPending { get; init; }

    /// <summary>That value; null for a secret, and where the next start takes the default.</summary>
    public string? Next { get; init; }

    /// <summary>The value before the last reload; null: it did not change it, or it is a secret, or there was none.
    /// </summary>
    public string? Before { get; init; }

    /// <summary>The last reload has changed it.</summary>
    public bool IsChanged { get; init; }
}
