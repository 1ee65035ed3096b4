using Gateway.Operations.Access;

namespace Gateway.Rest.Access;

/// <summary>How long what a caller has open may stay open: as long as the caller is who he is. For streams and for
/// connections that carry more than one request.</summary>
internal static class CallerTime
{
    /// <summary>Told to the client at the end.</summary>
    public const string OverSentence = "The token has expired";

    /// <summary>Cancelled when the caller's token expires; never for users without an end. The caller disposes it.
    /// </summary>
    public static CancellationTokenSource EndOf(Caller caller, TimeProvider time) =>
        new(caller.Identity?.TimeLeft(time) ?? Timeout.InfiniteTimeSpan, time);
}
