namespace Gateway.Host.Auditing;

/// <summary>A fault that a start found at an end of the trail. It becomes a line of the trail: the head is written
/// anew, and without that line nobody could see the fault later.</summary>
/// <param name="Kind">Of the line.</param>
/// <param name="Member">Of the line; null: none.</param>
/// <param name="Value">Of the member.</param>
internal readonly record struct AuditFinding(string Kind, string? Member, long Value)
{
    /// <summary>The last line is damaged, or is not the one that was written.</summary>
    public const string ChainLost = "ChainLost";

    /// <summary>Lines at the end were removed.</summary>
    public const string LinesMissing = "LinesMissing";

    /// <summary>Files at the beginning were removed by somebody else.</summary>
    public const string FilesMissing = "FilesMissing";

    /// <summary>Nothing says where the trail ended.</summary>
    public const string HeadMissing = "HeadMissing";

    private static readonly byte[][] Marks = Array.ConvertAll(
        new[] { ChainLost, LinesMissing, FilesMissing, HeadMissing },
        static kind => System.Text.Encoding.UTF8.GetBytes($",\"kind\":\"{kind}\""));

    /// <summary>Null: the line tells of none. No text in a line has a quotation mark that is not escaped.</summary>
    public static string? KindIn(ReadOnlySpan<byte> line)
    {
        foreach (var mark in Marks)
        {
            if (line.IndexOf(mark) >= 0)
                return System.Text.Encoding.UTF8.GetString(mark.AsSpan(9..^1));
        }

        return null;
    }
}
