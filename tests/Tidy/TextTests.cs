using System.Text.RegularExpressions;

namespace Gateway.Tidy;

public sealed class TextTests
{
    // The words are split here so that this file does not find itself.
    private static readonly (string Pattern, bool TestsOnly, string Text)[] Rules =
    [
        (@"//.*\bTO" + "DO\\b", false, "finish it or file it; no note in the source"),
        (@"^\s*#reg" + "ion", false, "a file that needs folding is two files"),
        (@"\bSk" + @"ip\s*=", true, "a test runs or is deleted"),
        (@"\bThread\.Sle" + @"ep\b", true, "advance fake time or await the event"),
        (@"\bTask\.Del" + @"ay\((?!Timeout\.)", true, "advance fake time or await the event"),
        (@"^\s*//\s*(?:return\b.*|(?:var |await )?[\w.]+(?:\(.*\)| = .*));\s*$", false, "commented-out code"),
    ];

    [Fact]
    public void SourceFiles_All_HoldNoForbiddenText() => ExceptionList.Check("text",
        from file in Repository.Sources
        from rule in Rules
        where file.IsTest || !rule.TestsOnly
        from line in file.Lines.Index()
        where Regex.IsMatch(line.Item, rule.Pattern)
        select new Finding(file.Path, $"line {line.Index + 1}: {rule.Text}: {line.Item.Trim()}"));
}
