using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Gateway.Tidy;

/// <summary>The comments and XML docs of a file as sentences, each with the line on which its comment begins.
/// </summary>
internal static partial class CommentText
{
    public static IEnumerable<(int Line, string Sentence)> SentencesOf(SourceFile file) =>
        from comment in CommentsOf(file)
        let plain = InlineTag().Replace(BlockTag().Replace(comment.Text, "\n"), "$1")
        from sentence in SentenceEnd().Split(plain)
        where sentence.Trim().Length > 0
        select (comment.Line, sentence.Trim());

    /// <summary>The lines of a comment are one text; a comment behind code is a text of its own.</summary>
    private static IEnumerable<(int Line, string Text)> CommentsOf(SourceFile file)
    {
        (int Line, int Column, int Lines, string Text) open = default;
        foreach (SyntaxTrivia trivia in file.Root.DescendantTrivia(descendIntoTrivia: true))
        {
            if (!trivia.IsKind(SyntaxKind.SingleLineCommentTrivia))
                continue;
            FileLinePositionSpan span = trivia.GetLocation().GetLineSpan();
            (int line, int column) = (span.StartLinePosition.Line + 1, span.StartLinePosition.Character);
            string text = trivia.ToString().TrimStart('/').Trim();
            if (open.Text is not null && line == open.Line + open.Lines && column == open.Column)
            {
                open = open with { Lines = open.Lines + 1, Text = $"{open.Text} {text}" };
                continue;
            }

            if (open.Text is not null)
                yield return (open.Line, open.Text);
            open = (line, column, 1, text);
        }

        if (open.Text is not null)
            yield return (open.Line, open.Text);
    }

    [GeneratedRegex(
        "</?(?:summary|remarks|para|param|typeparam|returns|value|exception|list|item|term|description)\\b[^>]*>")]
    private static partial Regex BlockTag();

    /// <summary>Leaves the name that a reference is to.</summary>
    [GeneratedRegex("</?\\w+(?: \\w+=\"(?:[\\w.]*\\.)?([^\"]*)\")?[^<>]*>")]
    private static partial Regex InlineTag();

    [GeneratedRegex(@"(?<=[.!?]\)?)\s+|\n")]
    private static partial Regex SentenceEnd();
}
