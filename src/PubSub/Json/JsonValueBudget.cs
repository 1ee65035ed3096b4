using Gateway.Codec.Binary;
using Gateway.Codec.Json;

namespace Gateway.PubSub.Json;

/// <summary>Makes the readers of a message's values, which share its memory limit. Owner: one read.</summary>
internal sealed class JsonValueBudget(JsonFormat format, DecodingLimits limits)
{
    /// <summary>A value of JSON becomes at most as many bytes for each byte of its text: <c>0,</c> is a Variant.
    /// </summary>
    private const int MostGrowth = 64;

    /// <summary>For the object around a value.</summary>
    private const int Base = 1024;

    private long _left = limits.MaxDecodedBytes;

    /// <summary>The reader may use what the text can become at most, or what is left.</summary>
    public UaJsonReader Read(ReadOnlySpan<byte> text)
    {
        var share = Math.Min(_left, ((long)text.Length * MostGrowth) + Base);
        _left -= share;
        return new UaJsonReader(
            text, format, share < limits.MaxDecodedBytes ? limits with { MaxDecodedBytes = share } : limits);
    }
}
