using System.Globalization;

namespace Gateway.Admission.Explain;

/// <summary>The answer to: had a limit been another one, how many of the clients rejected last would have come in? It
/// goes by the refusals that are kept, and says so where they do not tell. Immutable.</summary>
/// <param name="Limit">The key below Limits:.</param>
/// <param name="Value">That it might have had.</param>
/// <param name="Words">The answer as a sentence.</param>
public sealed record WhatIf(string Limit, double Value, string Words)
{
    /// <summary>Between two refusals of one storm.</summary>
    private static readonly TimeSpan Gap = TimeSpan.FromMinutes(1);

    /// <summary>As it is.</summary>
    public double? InForce { get; init; }

    /// <summary>False: the records do not allow an answer.</summary>
    public bool IsKnown { get; init; }

    /// <summary>The first refusal of the storm that is kept.</summary>
    public DateTimeOffset? From { get; init; }

    public DateTimeOffset? To { get; init; }

    /// <summary>Attempts in that time that this limit rejected; a client that tries again counts each time.</summary>
    public int Refused { get; init; }

    /// <summary>Of these, at most.</summary>
    public int LetIn { get; init; }

    /// <param name="limit">The key below Limits:; one that there is.</param>
    /// <param name="value">In its place.</param>
    /// <param name="inForce">As it is: a number, or a time.</param>
    /// <param name="newestFirst">The refusals that are kept.</param>
    /// <param name="isCut">There were more than are kept.</param>
    public static WhatIf Of(
        string limit, double value, object inForce, IReadOnlyList<Refusal> newestFirst, bool isCut)
    {
        if (inForce is TimeSpan)
            return new WhatIf(
                limit, value, "This limit is a time: the records do not say how long each would have waited.");
        var now = Convert.ToDouble(inForce, CultureInfo.InvariantCulture);
        var known = new WhatIf(limit, value, "") { InForce = now };
        if (limit.EndsWith("Bytes", StringComparison.Ordinal))
            return known with
            {
                Words = "This limit bounds memory: the records do not say how much each would have taken.",
            };
        if (value < now)
            return known with
            {
                Words = "The records hold those that were rejected, not those that came in: of a lower limit they say "
                    + "nothing.",
            };
        var storm = StormOf(limit, newestFirst);
        if (storm.Count == 0)
            return known with
            {
                IsKnown = !isCut,
                Words = isCut
                    ? "Of the refusals that are kept, this limit made none; older ones are no longer kept."
                    : "This limit has rejected nobody since the start.",
            };
        var more = (int)Math.Min(value - now, int.MaxValue);
        var letIn = Places(limit, storm, more);
        // A client that tried again counts each time, and the next limit may have rejected it: hence "at most".
        var rest = !isCut || storm[^1].At - newestFirst[^1].At > Gap ? "" : "; the storm had more than are kept";
        return known with
        {
            IsKnown = true,
            From = storm[^1].At,
            To = storm[0].At,
            Refused = storm.Count,
            LetIn = letIn,
            Words = string.Create(
                CultureInfo.InvariantCulture,
                $"At most {letIn:N0} of the {storm.Count:N0} attempts that it rejected would have come in{rest}."),
        };
    }

    /// <summary>The newest refusals by this limit without a long pause between them.</summary>
    private static List<Refusal> StormOf(string limit, IReadOnlyList<Refusal> newestFirst)
    {
        var storm = new List<Refusal>();
        foreach (var one in newestFirst)
        {
            if (RefusalLimits.NameOf(one.Stage, one.Reason) != limit)
                continue;
            if (storm.Count > 0 && storm[^1].At - one.At > Gap)
                break;
            storm.Add(one);
        }

        return storm;
    }

    /// <summary>A rate gives its places anew each second, a cap on one client gives them to each client; any other
    /// gives them once, because those who came in would have stayed.</summary>
    private static int Places(string limit, List<Refusal> storm, int more)
    {
        var isRate = limit.Contains("PerSecond", StringComparison.Ordinal);
        var isPerAddress = limit.EndsWith("PerAddress", StringComparison.Ordinal);
        var isPerCertificate = limit.EndsWith("PerCertificate", StringComparison.Ordinal);
        var isPerUser = limit.EndsWith("PerUser", StringComparison.Ordinal);
        return storm.GroupBy(one => (
                isRate ? one.At.ToUnixTimeSeconds() : 0,
                isPerAddress ? one.Address : isPerCertificate ? one.Thumbprint : isPerUser ? one.User ?? "" : ""))
            .Sum(group => Math.Min(group.Count(), more));
    }
}
