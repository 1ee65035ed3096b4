namespace Gateway.Rest.Management;

/// <summary>One thing that is wrong with a configuration.</summary>
/// <param name="Key">As on the command line: <c>OpcUa:Port</c>; empty where it is of none, as in text that is no JSON.
/// </param>
/// <param name="Problem">In words.</param>
public sealed record ConfigurationFault(string Key, string Problem)
{
    private const string Separator = ": ";

    /// <summary>Of a line <c>Key: problem</c>, as the start prints it.</summary>
    public static ConfigurationFault Of(string line)
    {
        var end = line.IndexOf(Separator, StringComparison.Ordinal);
        var isKey = end > 0 && !line.AsSpan(0, end).ContainsAny(' ', '/');
        return isKey ? new(line[..end], line[(end + Separator.Length)..]) : new("", line);
    }
}
