using System.Text;

namespace Gateway.PubSub.Options;

/// <summary>The text of a plain message, with places for the parts of a value: <c>${v}</c> the value as JSON,
/// <c>${t}</c> its time and <c>${q}</c> its quality as JSON strings, <c>${code}</c> the StatusCode's number,
/// <c>${n}</c> the field's name. Immutable.</summary>
internal sealed class PlainTemplate
{
    public const string Default = """{"v":${v},"t":${t},"q":${q}}""";

    private PlainTemplate(IReadOnlyList<(PlainPart Part, byte[] Text)> pieces) => Pieces = pieces;

    public IReadOnlyList<(PlainPart Part, byte[] Text)> Pieces { get; }

    /// <summary>Null: <paramref name="error"/> says where it is wrong.</summary>
    public static PlainTemplate? Parse(string text, out string? error)
    {
        var pieces = new List<(PlainPart, byte[])>();
        error = null;
        for (var at = 0; at < text.Length;)
        {
            var start = text.IndexOf("${", at, StringComparison.Ordinal);
            if (start != at)
            {
                var end = start < 0 ? text.Length : start;
                pieces.Add((PlainPart.Text, Encoding.UTF8.GetBytes(text[at..end])));
                at = end;
                continue;
            }

            var close = text.IndexOf('}', start);
            var name = close < 0 ? text[start..] : text[(start + 2)..close];
            if (PartOf(name) is not { } part)
            {
                error = $"'{name}' is none of ${{v}}, ${{t}}, ${{q}}, ${{code}} and ${{n}}";
                return null;
            }

            pieces.Add((part, []));
            at = close + 1;
        }

        return new PlainTemplate(pieces);
    }

    private static PlainPart? PartOf(string name) => name switch
    {
        "v" => PlainPart.Value,
        "t" => PlainPart.Time,
        "q" => PlainPart.Quality,
        "code" => PlainPart.Code,
        "n" => PlainPart.Name,
        _ => null,
    };
}
