using System.Globalization;

namespace Gateway.Loadtest.Scenarios;

/// <summary>Numbers with commas between, as options give them.</summary>
internal static class NumberList
{
    /// <returns>Null where it is not such a list, is empty, or leaves the bounds.</returns>
    public static int[]? TryParse(string text, int least, int most)
    {
        var parts = text.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        var numbers = new int[parts.Length];
        for (var i = 0; i < parts.Length; i++)
        {
            if (!int.TryParse(parts[i], CultureInfo.InvariantCulture, out numbers[i]) ||
                numbers[i] < least || numbers[i] > most)
                return null;
        }

        return numbers.Length == 0 ? null : numbers;
    }
}
