using System.Text;

namespace Gateway.Host.Http;

/// <summary>An instrument's name and unit as Prometheus spells them: <c>gateway_</c> in front, the unit at the end,
/// then <c>_total</c> of a counter, each exactly once.</summary>
internal static class ExpositionNames
{
    private const string Prefix = "gateway_";
    private const string Total = "_total";

    /// <summary>The family's name without <c>_total</c>.</summary>
    public static string Family(string instrument, string unit, bool isCounter)
    {
        var name = Clean(instrument, isLabel: false);
        if (!name.StartsWith(Prefix, StringComparison.Ordinal))
            name = Prefix + name;
        if (isCounter && name.EndsWith(Total, StringComparison.Ordinal))
            name = name[..^Total.Length];
        var suffix = Unit(unit);
        return suffix.Length == 0 || name.EndsWith('_' + suffix, StringComparison.Ordinal) ? name : $"{name}_{suffix}";
    }

    /// <summary>Base units alone: a figure in another one is not converted, so it gets no suffix either.</summary>
    public static string Unit(string unit) => unit switch
    {
        "s" => "seconds",
        "By" => "bytes",
        _ => "",
    };

    public static string Label(string key) => Clean(key, isLabel: true);

    private static string Clean(string name, bool isLabel)
    {
        var isClean = name.Length > 0 && !char.IsAsciiDigit(name[0]);
        foreach (var character in name)
            isClean &= IsAllowed(character, isLabel);
        if (isClean)
            return name;
        var clean = new StringBuilder(name.Length + 1);
        if (name.Length == 0 || char.IsAsciiDigit(name[0]))
            clean.Append('_');
        foreach (var character in name)
            clean.Append(IsAllowed(character, isLabel) ? character : '_');
        return clean.ToString();
    }

    private static bool IsAllowed(char character, bool isLabel) =>
        char.IsAsciiLetterOrDigit(character) || character == '_' || (character == ':' && !isLabel);
}
