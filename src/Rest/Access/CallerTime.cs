using Gateway.Operations.Access;

namespace Gateway.Rest.Access;

/// <summary>Ends streams and connections that carry more than one request when their caller's token expires.</summary>
internal static class CallerTime
{
    /// <summary>A timer takes no more.</summary>
    private static readonly TimeSpan LongestTimer = TimeSpan.FromDays(49);

    /// <summary>Told to the client at the end.</summary>
    public const string OverSentence = "The token has expired";

    /// <summary>Cancelled when the caller's token expires; never for users without an end. The caller disposes it.
    /// </summary>
    public static CancellationTokenSource EndOf(Caller caller, TimeProvider time)
    {
        var left = caller.Identity?.TimeLeft(time) ?? Timeout.InfiniteTimeSpan;
        return new CancellationTokenSource(left > LongestTimer ? Timeout.InfiniteTimeSpan : left, time);
    }
}
