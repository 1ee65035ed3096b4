namespace Gateway.Sources.OpcUa.Redundancy;

/// <summary>Which of several servers is in the best order. A ServiceLevel that is not known is neither better nor worse
/// than another. Source: Part 4 §6.6.2.4.2.</summary>
internal static class ServerChoice
{
    /// <summary>From here on a server is Healthy, and clients stay with it.</summary>
    private const byte Healthy = 200;

    /// <summary>Not known: there is no reason to leave it.</summary>
    public static bool IsGoodEnough(byte? level) => level is null or >= Healthy;

    /// <summary>Maintenance, NoData and the levels of Degraded are classes by themselves, all of Healthy is one.
    /// </summary>
    public static bool IsBetter(byte? level, byte? than) =>
        level is { } one && than is { } other && Math.Min(one, Healthy) > Math.Min(other, Healthy);

    /// <summary>The first in order to which none is preferred. Null: there is none.</summary>
    public static T? Best<T>(IEnumerable<T> inOrder, Func<T, byte?> levelOf)
        where T : class
    {
        T? best = null;
        foreach (var one in inOrder)
        {
            if (best is null || IsBetter(levelOf(one), levelOf(best)))
                best = one;
        }

        return best;
    }
}
