using System.Text.Json;
using System.Text.RegularExpressions;
using Gateway.Interop.Scripts;

namespace Gateway.Interop.Mirror;

/// <summary>The differences between an upstream and its mirror that are meant, or not mended yet: peers/mirror.json,
/// each with its reason.</summary>
internal static class MirrorExceptions
{
    private sealed record MirrorException(string Line, string Reason);

    /// <summary>Each difference has an exception, and each exception a difference: what is mended leaves the list.
    /// </summary>
    /// <param name="lines">The differences.</param>
    /// <param name="also">Of a server that has this difference beside some of the list.</param>
    public static void AssertOnly(IReadOnlyList<string> lines, string? also = null)
    {
        string text = File.ReadAllText(Path.Combine(PeerFolder.Path, "mirror.json"));
        MirrorException[] exceptions =
            JsonSerializer.Deserialize<MirrorException[]>(text, JsonSerializerOptions.Web)!;
        Assert.All(exceptions, one => Assert.False(string.IsNullOrWhiteSpace(one.Reason), one.Line));
        Regex[] allowed = [.. exceptions.Select(static one => one.Line).Concat(also is null ? [] : [also])
            .Select(static line => new Regex(line, RegexOptions.CultureInvariant))];

        string[] wrong = [.. lines.Where(line => !allowed.Any(one => one.IsMatch(line)))];
        Assert.True(wrong.Length == 0, $"{wrong.Length} differences\n" + string.Join('\n', wrong.Take(40)));
        string[] unused = [.. allowed.Where(one => !lines.Any(one.IsMatch)).Select(one => one.ToString())];
        Assert.True(also is not null || unused.Length == 0, "no difference any more\n" + string.Join('\n', unused));
    }
}
