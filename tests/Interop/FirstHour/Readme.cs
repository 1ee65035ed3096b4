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

    /// <summary>What the README shows below a command; its <c>…</c> stands for any text.</summary>
    public static Regex Answer(string command)
    {
        IEnumerable<string> answer = Text.Split('\n').SkipWhile(line => line != command).Skip(1)
            .TakeWhile(line => line.Length > 0 && line != "```");
        string pattern = Regex.Escape(string.Join('\n', answer)).Replace("…", ".*", StringComparison.Ordinal);
        Assert.NotEmpty(pattern);
        return new Regex($"^{pattern}\n?$", RegexOptions.Singleline);
    }

    /// <summary>Lines of code blocks, those that a backslash continues as one, and code within a sentence.</summary>
    private static IEnumerable<string> Commands()
    {
        bool isCode = false;
        string begun = "";
        foreach (string line in Text.Split('\n'))
        {
            if (line.TrimStart().StartsWith("```", StringComparison.Ordinal))
                isCode = !isCode;
            else if (isCode && line.EndsWith('\\'))
                begun += line.TrimEnd('\\').Trim() + ' ';
            else if (isCode)
            {
                yield return begun + line.Trim();
                begun = "";
            }
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
