using System.Globalization;
using Gateway.Codec.Text;

namespace Gateway.Admission.Explain;

/// <summary>Text for operators: a peer's words made harmless (R24), numbers as people read them.</summary>
public static class ExplainText
{
    private const int MaxLength = 160;

    /// <summary>A peer's words by <see cref="PeerText"/>; null stays null.</summary>
    public static string? Clean(string? text, int maxLength = MaxLength) =>
        text is null ? null : PeerText.EscapeLine(text, maxLength);

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
}
