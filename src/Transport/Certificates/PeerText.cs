using System.Globalization;
using System.Text;

namespace Gateway.Transport.Certificates;

/// <summary>Makes text that a peer chose fit for a log line: no control or format characters, no endless length (R24).
/// </summary>
public static class PeerText
{
    public const int MaxLength = 200;

    public static string Escape(string? text)
    {
        if (text is null)
            return "";
        var safe = new StringBuilder(Math.Min(text.Length, MaxLength) + 1);
        foreach (var character in text)
        {
            if (safe.Length >= MaxLength)
                return safe.Append('…').ToString();
            if (IsHarmless(character))
                safe.Append(character);
            else
                safe.Append(CultureInfo.InvariantCulture, $"\\u{(int)character:X4}");
        }
        return safe.ToString();
    }

    private static bool IsHarmless(char character) => char.IsAscii(character)
        ? !char.IsControl(character) && character is not ('"' or '\\')
        : char.IsLetterOrDigit(character);
}
