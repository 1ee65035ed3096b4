using Gateway.Admission.Stages;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;

namespace Gateway.Client.Requests;

/// <summary>When a server that refused wants to be asked again: <c>RetryAfterMs=n</c> in the reason of an ERR, the
/// parameter of that name (Int64, ms) in the AdditionalHeader of a fault. Null where it does not say, or no sense.
/// </summary>
internal static class RetryHint
{
    private const string Key = Decision.HintName;

    /// <summary>The longest time that a server can make a client wait; callers wait less where they like.</summary>
    private static readonly TimeSpan Longest = TimeSpan.FromDays(1);

    public static TimeSpan? FromReason(ReadOnlySpan<char> reason)
    {
        var at = reason.IndexOf(Key + "=", StringComparison.Ordinal);
        if (at < 0)
            return null;
        var digits = reason[(at + Key.Length + 1)..];
        var end = digits.IndexOfAnyExceptInRange('0', '9');
        if (end >= 0)
            digits = digits[..end];
        return long.TryParse(digits, out var milliseconds) ? Of(milliseconds) : null;
    }

    /// <param name="message">A response, TypeId first.</param>
    /// <param name="limits">As for every response.</param>
    public static TimeSpan? FromResponse(ReadOnlySpan<byte> message, DecodingLimits limits)
    {
        var reader = new UaBinaryReader(message, limits);
        reader.ReadNodeId();
        var header = reader.ReadStructure<ResponseHeader>();
        if (reader.Failed || header.AdditionalHeader.Body is not AdditionalParametersType { Parameters: { } all })
            return null;
        foreach (var parameter in all)
        {
            if (parameter.Key.Name == Key)
                return Of(parameter.Value.AsInt64());
        }

        return null;
    }

    private static TimeSpan? Of(long milliseconds) => milliseconds <= 0
        ? null
        : milliseconds >= (long)Longest.TotalMilliseconds ? Longest : TimeSpan.FromMilliseconds(milliseconds);
}
