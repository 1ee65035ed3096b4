using System.Globalization;

namespace Gateway.Host.Auditing;

/// <summary><c>audit-0000000001.jsonl</c> and the following ones.</summary>
internal static class AuditFileName
{
    private const string Prefix = "audit-";
    private const string Suffix = ".jsonl";

    public static string Of(long number) =>
        string.Create(CultureInfo.InvariantCulture, $"{Prefix}{number:D10}{Suffix}");

    /// <summary>Ascending; other files are passed over.</summary>
    public static List<long> NumbersIn(IEnumerable<string> names)
    {
        var numbers = new List<long>();
        foreach (var name in names)
        {
            if (name.StartsWith(Prefix, StringComparison.Ordinal) && name.EndsWith(Suffix, StringComparison.Ordinal) &&
                long.TryParse(
                    name.AsSpan()[Prefix.Length..^Suffix.Length], NumberStyles.None, CultureInfo.InvariantCulture,
                    out var number))
                numbers.Add(number);
        }

        numbers.Sort();
        return numbers;
    }
}
