namespace Gateway.Operations.Access;

/// <summary>The locales that a client prefers, as they are kept for it: bounded in number and length (R04). Source:
/// Part 4 §5.7.3.2.</summary>
public static class LocaleList
{
    private const int MaxLocales = 16;

    /// <summary>The longest tag that RFC 5646 §4.4.1 expects.</summary>
    private const int MaxLocaleLength = 35;

    /// <summary>The best first. Drops empty and longer ones.</summary>
    public static string[] Of(IEnumerable<string?> given) =>
    [
        .. given.Where(static one => one is { Length: > 0 and <= MaxLocaleLength })
            .Take(MaxLocales)
            .Select(static one => one!),
    ];
}
