namespace Gateway.Events.Values;

/// <summary>The operator Like: <c>%</c> any run of characters, <c>_</c> one character, <c>\</c> takes the next one as
/// it is, <c>[ab]</c> and <c>[a-c]</c> one of these, <c>[^ab]</c> none of these. A bracket that nothing closes stands
/// for itself. Case counts. Only the last <c>%</c> is ever taken back, so the work grows with the product of both
/// lengths at most, and ends at a bound (R44). Source: Part 4 §7.7.3, Table 124.</summary>
internal static class LikePattern
{
    /// <summary>About a millisecond.</summary>
    internal const int MaxSteps = 200_000;

    /// <summary>Null: the bound was met.</summary>
    public static bool? Matches(ReadOnlySpan<char> text, ReadOnlySpan<char> pattern)
    {
        var steps = MaxSteps;
        return Matches(text, pattern, ref steps);
    }

    /// <summary>Null: the bound was met, or there were no steps left.</summary>
    /// <param name="text">Of the event.</param>
    /// <param name="pattern">Of the filter.</param>
    /// <param name="left">Steps that the evaluation may still take; below 0 it is to end.</param>
    public static bool? Matches(ReadOnlySpan<char> text, ReadOnlySpan<char> pattern, ref int left)
    {
        var most = Math.Min(left, MaxSteps);
        var matches = Matches(text, pattern, most, out var steps);
        left = steps > left ? ~0 : left - steps;
        return matches;
    }

    private static bool? Matches(ReadOnlySpan<char> text, ReadOnlySpan<char> pattern, int most, out int steps)
    {
        var (at, next) = (0, 0);
        var (lastRun, taken) = (-1, 0);
        steps = 0;
        while (at < text.Length)
        {
            var width = 1;
            // A bracket is looked for up to the end.
            steps += next < pattern.Length && pattern[next] == '[' ? pattern.Length - next : 1;
            if (steps > most)
                return null;
            if (next < pattern.Length && pattern[next] == '%')
            {
                (lastRun, taken) = (next++, at);
                continue;
            }

            if (next < pattern.Length && MatchesOne(text[at], pattern[next..], out width))
            {
                at++;
                next += width;
            }
            else if (lastRun < 0)
            {
                return false;
            }
            else
            {
                (at, next) = (++taken, lastRun + 1);
            }
        }

        while (next < pattern.Length && pattern[next] == '%')
            next++;
        return next == pattern.Length;
    }

    /// <param name="character">Of the text.</param>
    /// <param name="pattern">From the place on that is to match it.</param>
    /// <param name="width">The characters of the pattern that say what matches.</param>
    private static bool MatchesOne(char character, ReadOnlySpan<char> pattern, out int width)
    {
        width = 1;
        switch (pattern[0])
        {
            case '_':
                return true;
            case '\\' when pattern.Length > 1:
                width = 2;
                return pattern[1] == character;
            case '[' when pattern[1..].IndexOf(']') is var close and > 0:
                width = close + 2;
                return MatchesSet(character, pattern[1..(close + 1)]);
            default:
                return pattern[0] == character;
        }
    }

    private static bool MatchesSet(char character, ReadOnlySpan<char> set)
    {
        var isNegative = set[0] == '^';
        if (isNegative)
            set = set[1..];
        for (var i = 0; i < set.Length; i++)
        {
            if (i + 2 < set.Length && set[i + 1] == '-')
            {
                if (character >= set[i] && character <= set[i + 2])
                    return !isNegative;
                i += 2;
            }
            else if (set[i] == character)
            {
                return !isNegative;
            }
        }

        return isNegative;
    }
}
