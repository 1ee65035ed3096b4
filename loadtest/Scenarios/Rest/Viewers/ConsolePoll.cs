namespace Gateway.Loadtest.Scenarios.Rest.Viewers;

/// <summary>One path that a page asks for again and again.</summary>
/// <param name="Path">Below the API's root.</param>
/// <param name="Seconds">From an answer to the next request.</param>
internal sealed record ConsolePoll(string Path, double Seconds)
{
    /// <summary>Each request asks for what is new alone.</summary>
    public static ConsolePoll Overview { get; } = new("/overview", 2) { IsSince = true };

    /// <summary>All pages of a list, one after the other.</summary>
    public bool IsWhole { get; init; }

    /// <summary>The sequence of the last answer goes along.</summary>
    public bool IsSince { get; init; }
}
