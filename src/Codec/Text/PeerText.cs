using System.Buffers;
using System.Globalization;
using System.Text;

namespace Gateway.Codec.Text;

/// <summary>
/// The one place that makes text of a peer fit for logs, for the operator's pages and for messages (R24). Control
/// characters (ESC, CR, LF, C1), format characters (bidi overrides), line separators, odd spaces, private and
/// unassigned characters and lone surrogates become <c>\uXXXX</c>; the result has at most the stated length, the last
/// character of a cut one is <c>…</c>. Any thread.
/// </summary>
public static class PeerText
{
    public const int MaxLength = 200;

    private const char Ellipsis = '…';

    /// <summary>A value that our own text quotes: quotation marks and backslashes are escaped as well, so that a peer
    /// cannot end the quotation. Null becomes empty.</summary>
    public static string Escape(string? text, int maxLength = MaxLength) => Escape(text, maxLength, isQuoted: true);

    /// <summary>A line or detail that we composed, of which a part may come from a peer: quotation marks and
    /// backslashes stay, so that escaped text is not escaped twice. Null becomes empty.</summary>
    public static string EscapeLine(string? text, int maxLength = MaxLength) =>
        Escape(text, maxLength, isQuoted: false);

    private static string Escape(string? text, int maxLength, bool isQuoted)
    {
        if (string.IsNullOrEmpty(text))
            return "";
        if (text.Length <= maxLength && IsHarmless(text, isQuoted))
            return text;
        var safe = new StringBuilder(Math.Min(text.Length, maxLength) + 1);
        for (var at = 0; at < text.Length;)
        {
            var before = safe.Length;
            var units = text.AsSpan(at, char.IsSurrogatePair(text, at) ? 2 : 1);
            if (Rune.DecodeFromUtf16(units, out var rune, out _) == OperationStatus.Done && IsHarmless(rune, isQuoted))
                safe.Append(units);
            else
                AppendEscaped(safe, units);
            at += units.Length;
            // One place is kept for the mark of the cut, unless this was the end.
            if (safe.Length < maxLength || (safe.Length == maxLength && at == text.Length))
                continue;
            safe.Length = before;
            return safe.Append(Ellipsis).ToString();
        }

        return safe.ToString();
    }

    private static void AppendEscaped(StringBuilder safe, ReadOnlySpan<char> units)
    {
        foreach (var unit in units)
            safe.Append(CultureInfo.InvariantCulture, $"\\u{(int)unit:X4}");
    }

    private static bool IsHarmless(ReadOnlySpan<char> text, bool isQuoted)
    {
        while (!text.IsEmpty)
        {
            if (Rune.DecodeFromUtf16(text, out var rune, out var length) != OperationStatus.Done ||
                !IsHarmless(rune, isQuoted))
                return false;
            text = text[length..];
        }

        return true;
    }

    private static bool IsHarmless(Rune rune, bool isQuoted)
    {
        if (rune.IsAscii)
            return !Rune.IsControl(rune) && !(isQuoted && (rune.Value is '"' or '\\'));
        return Rune.GetUnicodeCategory(rune) is not (UnicodeCategory.Control or UnicodeCategory.Format
            or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator or UnicodeCategory.SpaceSeparator
            or UnicodeCategory.PrivateUse or UnicodeCategory.OtherNotAssigned or UnicodeCategory.Surrogate);
    }
}
