namespace Gateway.Testing;

/// <summary>How long a test waits for what must come. It ends a hang and measures nothing: on a machine that is taken
/// away for minutes every answer still comes in time.</summary>
internal static class Patience
{
    public static readonly TimeSpan Limit = TimeSpan.FromMinutes(5);

    /// <summary>For a program that builds the gateway anew: two minutes of both cores, which others use, too.</summary>
    public static readonly TimeSpan OfBuild = TimeSpan.FromMinutes(20);
}
