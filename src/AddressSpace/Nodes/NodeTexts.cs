using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Nodes;

/// <summary>The texts of a node of which at least one has several locales, each with its default first. Source: Part 4
/// §5.4.</summary>
public sealed record NodeTexts(
    LocalizedText[] DisplayNames, LocalizedText[] Descriptions, LocalizedText[] InverseNames)
{
    public IEnumerable<string> Locales => DisplayNames.Concat(Descriptions).Concat(InverseNames)
        .Select(static text => text.Locale).OfType<string>();

    /// <summary>False where the attribute is no text, or is not there in several locales.</summary>
    internal bool TryPick(AttributeId attribute, ReadOnlySpan<string> locales, out LocalizedText text)
    {
        var texts = attribute switch
        {
            AttributeId.DisplayName => DisplayNames,
            AttributeId.Description => Descriptions,
            AttributeId.InverseName => InverseNames,
            _ => [],
        };
        text = texts.Length > 1 ? Pick(texts, locales) : default;
        return texts.Length > 1;
    }

    /// <summary>The first requested locale that exists, exactly or by its language; else the default.</summary>
    private static LocalizedText Pick(LocalizedText[] texts, ReadOnlySpan<string> locales)
    {
        foreach (var locale in locales)
        {
            var found = Array.FindIndex(
                texts, text => string.Equals(text.Locale, locale, StringComparison.OrdinalIgnoreCase));
            if (found < 0)
                found = Array.FindIndex(texts, text => IsSameLanguage(text.Locale, locale));
            if (found >= 0)
                return texts[found];
        }

        return texts[0];
    }

    /// <summary>de-AT and de.</summary>
    private static bool IsSameLanguage(string? given, string asked) => given is not null &&
        given.Length > 0 && LanguageOf(given).Equals(LanguageOf(asked), StringComparison.OrdinalIgnoreCase);

    private static ReadOnlySpan<char> LanguageOf(string locale)
    {
        var dash = locale.IndexOf('-', StringComparison.Ordinal);
        return dash < 0 ? locale : locale.AsSpan(0, dash);
    }
}
