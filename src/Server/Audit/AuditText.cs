using System.Buffers;

namespace Gateway.Server.Audit;

/// <summary>A peer's text made fit for one log line: control characters replaced, cut (R24).</summary>
internal static class AuditText
{
    private const int MaxLength = 128;

    private static readonly SearchValues<char> Dangerous = SearchValues.Create(
        [.. Enumerable.Range(0, 0x20).Concat(Enumerable.Range(0x7F, 0x21)).Select(c => (char)c), '\u2028', '\u2029']);

    public static string Clean(string? text)
    {
        if (string.IsNullOrEmpty(text))
            return string.Empty;
        var cut = text.Length > MaxLength ? string.Concat(text.AsSpan(0, MaxLength), "…") : text;
        if (cut.AsSpan().IndexOfAny(Dangerous) < 0)
            return cut;
        return string.Create(cut.Length, cut, static (target, source) =>
        {
            for (var i = 0; i < target.Length; i++)
                target[i] = Dangerous.Contains(source[i]) ? '?' : source[i];
        });
    }
}
