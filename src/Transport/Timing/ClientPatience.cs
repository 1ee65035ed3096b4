namespace Gateway.Transport.Timing;

/// <summary>How long a client waits for an answer, by the TimeoutHint of its request. Source: Part 4 §7.32.</summary>
public static class ClientPatience
{
    /// <summary>Before its end, because it began on the client's side: an answer that comes with the end comes too
    /// late, and the client only hears that nobody answers.</summary>
    private const double Early = 0.1;

    private static readonly TimeSpan MostEarly = TimeSpan.FromMilliseconds(500);

    /// <summary>From the arrival of the request until its answer has to go. <see cref="TimeSpan.MaxValue"/>: the client
    /// has said nothing.</summary>
    public static TimeSpan Of(uint timeoutHintMs)
    {
        if (timeoutHintMs == 0)
            return TimeSpan.MaxValue;
        var hint = TimeSpan.FromMilliseconds(timeoutHintMs);
        var early = hint * Early;
        return hint - (early < MostEarly ? early : MostEarly);
    }
}
