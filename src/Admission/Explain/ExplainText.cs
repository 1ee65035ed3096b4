using System.Globalization;

namespace Gateway.Admission.Explain;

/// <summary>Text for operators: a peer's words made harmless (R24), numbers as people read them.</summary>
public static class ExplainText
{
    private const int MaxLength = 160;

    /// <summary>Control and format characters, line separators and lone surrogates replaced; cut.</summary>
    public static string? Clean(string? text)
    {
        if (string.IsNullOrEmpty(text))
            return text;
        var cut = text.Length > MaxLength ? string.Concat(text.AsSpan(0, MaxLength - 1), "…") : text;
        return string.Create(cut.Length, cut, static (target, source) =>
        {
            for (var i = 0; i < target.Length; i++)
                target[i] = IsHarmful(source, i) ? '?' : source[i];
        });
    }

    /// <summary>A limit's value: <c>12,000</c>, <c>4 s</c>.</summary>
    public static string Value(object? value) => value switch
    {
        null => "?",
        TimeSpan time when time.TotalMinutes >= 1 && time.Seconds == 0 => Number(time.TotalMinutes) + " min",
        TimeSpan time => Number(time.TotalSeconds) + " s",
        double number => Number(number),
        IConvertible number => Number(number.ToDouble(CultureInfo.InvariantCulture)),
        _ => value.ToString() ?? "?",
    };

    public static string Number(double value) => value.ToString("#,0.##", CultureInfo.InvariantCulture);

    private static bool IsHarmful(string text, int index) => char.GetUnicodeCategory(text[index]) switch
    {
        UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.LineSeparator
            or UnicodeCategory.ParagraphSeparator or UnicodeCategory.OtherNotAssigned => true,
        UnicodeCategory.Surrogate => !IsPaired(text, index),
        _ => false,
    };

    private static bool IsPaired(string text, int index) => char.IsHighSurrogate(text[index])
        ? index + 1 < text.Length && char.IsLowSurrogate(text[index + 1])
        : index > 0 && char.IsHighSurrogate(text[index - 1]);
}
