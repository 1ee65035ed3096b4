using System.Text.RegularExpressions;

namespace Gateway.Interop.FirstHour;

/// <summary>The commands that the README shows, as a reader would copy them.</summary>
internal static partial class Readme
{
    public const string RunCommand = "dotnet run -c Release --project src/Gateway --";

    private static readonly string Text = File.ReadAllText(Path.Combine(Root(), "README.md"));

    public static string Root()
    {
        string folder = AppContext.BaseDirectory;
        while (!File.Exists(Path.Combine(folder, "Gateway.sln")))
            folder = Path.GetDirectoryName(folder)!;
        return folder;
    }

    /// <summary>The one command that holds all the parts, without the remark behind it.</summary>
    public static string Command(params string[] parts)
    {
        string found = Assert.Single(
            Commands().Distinct(), one => parts.All(part => one.Contains(part, StringComparison.Ordinal)));
        return Remark().Replace(found, "");
    }

    /// <summary>Lines of code blocks, and code within a sentence.</summary>
    private static IEnumerable<string> Commands()
    {
        bool isCode = false;
        foreach (string line in Text.Split('\n'))
        {
            if (line.TrimStart().StartsWith("```", StringComparison.Ordinal))
                isCode = !isCode;
            else if (isCode)
                yield return line.Trim();
            else
                foreach (Match match in Inline().Matches(line))
                    yield return match.Groups[1].Value;
        }
    }

    [GeneratedRegex("`([^`]+)`")]
    private static partial Regex Inline();

    [GeneratedRegex(@"\s+# .*$")]
    private static partial Regex Remark();
}
