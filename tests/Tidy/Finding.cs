namespace Gateway.Tidy;

/// <summary>A place (path or path#member) where a rule is broken, and how.</summary>
internal sealed record Finding(string Place, string Text)
{
    /// <summary>For rules that have no exceptions: fails with all that is found, a line each.</summary>
    public static void None(IEnumerable<string> found)
    {
        List<string> all = [.. found];
        Assert.True(all.Count == 0, $"{all.Count} found\n" + string.Join('\n', all));
    }
}
