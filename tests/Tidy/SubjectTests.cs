using System.Text.RegularExpressions;

namespace Gateway.Tidy;

/// <summary>Plain English: a sentence names its subject and does not hide it in a clause.</summary>
public sealed partial class SubjectTests
{
    private const string Rule = "subject";

    [Fact]
    public void Comments_OfSources_BeginNoSentenceWithWhoOrWhat() => ExceptionList.Check(Rule,
        from file in Repository.Sources
        where file.Path.StartsWith("src/", StringComparison.Ordinal)
        from found in CommentText.SentencesOf(file)
        where IsSubjectClause(found.Sentence)
        select new Finding(file.Path, $"line {found.Line}: name the subject: {found.Sentence}"));

    [Theory]
    [InlineData("/// <summary>What comes back.</summary>")]
    [InlineData("/// <summary>Never waits. Who is let in\n/// is served.</summary>")]
    [InlineData("/// <param name=\"item\">Whose it is.</param>")]
    [InlineData("/// Of <see cref=\"A.B\"/> (R01). Whoever awaits it goes on.")]
    [InlineData("int a = 1; // Whatever it is, others go on.")]
    [InlineData("#pragma warning disable CA1031 // Whatever it is, others go on.")]
    public void Sentence_WithAClauseAsItsSubject_IsFound(string source) => Assert.Single(
        CommentText.SentencesOf(new SourceFile("src/A.cs", source)), found => IsSubjectClause(found.Sentence));

    [Theory]
    [InlineData("/// <summary>What now?</summary>")]
    [InlineData("/// <summary>The text that <see cref=\"What\"/> returns, and what it means.</summary>")]
    [InlineData("string a = \"// What it says.\";")]
    [InlineData("/// Whole chunks count.\n/// Which ones: all.")]
    public void Sentence_OfAnotherForm_IsNotFound(string source) => Assert.DoesNotContain(
        CommentText.SentencesOf(new SourceFile("src/A.cs", source)), found => IsSubjectClause(found.Sentence));

    private static bool IsSubjectClause(string sentence) =>
        SubjectClause().IsMatch(sentence) && !sentence.EndsWith('?');

    [GeneratedRegex(@"^\W*(?:Who|What|Whoever|Whatever|Whom|Whose)\b")]
    private static partial Regex SubjectClause();
}
