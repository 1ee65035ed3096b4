namespace Gateway.Tidy;

public sealed class ExceptionListTests
{
    private static readonly string[] Rules =
    [
        "file-length", "method-length", "line-width", "one-type", "namespace", "text", "large-file",
        "folder-circle", "folder-size", "polling", "subject",
    ];

    [Fact]
    public void Entries_All_NoMoreThanTheCeiling() =>
        Assert.InRange(ExceptionList.Entries.Count, 0, ExceptionList.Ceiling);

    [Fact]
    public void Entries_All_NameAKnownRuleAndGiveAReason() => Assert.All(ExceptionList.Entries, entry =>
    {
        Assert.Contains(entry.Rule, Rules);
        Assert.True(entry.Reason.Length >= 15, $"{entry.Place}: a reason is a sentence");
    });
}
