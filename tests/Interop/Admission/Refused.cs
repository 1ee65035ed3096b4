using System.Globalization;
using System.Text.RegularExpressions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Interop.BadInput;

namespace Gateway.Interop.Admission;

/// <summary>A refusal as it comes over the wire.</summary>
/// <param name="Status">Of the ERR, or the ServiceResult.</param>
/// <param name="RetryAfterMs">Null: it says nothing.</param>
internal sealed partial record Refused(StatusCode Status, long? RetryAfterMs)
{
    /// <summary>Bad_TcpServerTooBusy with a hint, and then the end. Source: Part 6 §7.1.2.5.</summary>
    public static async Task AssertErrAsync(RawPeer peer) =>
        await AssertErrAsync(peer, await peer.ReceiveAsync());

    /// <summary>The same of a frame that was read already.</summary>
    public static async Task AssertErrAsync(RawPeer peer, byte[]? frame)
    {
        Assert.Equal("ERRF", RawPeer.Type(frame));
        Assert.Equal(new StatusCode(StatusCodes.BadTcpServerTooBusy), new StatusCode(RawPeer.ErrorOf(frame!)));
        Match hint = Hint().Match(RawPeer.ReasonOf(frame!));
        Assert.True(hint.Success, RawPeer.ReasonOf(frame!));
        Assert.True(int.Parse(hint.Groups[1].Value, CultureInfo.InvariantCulture) > 0);
        await peer.AssertEndedAsync();
    }

    /// <summary>Of a ServiceFault's header.</summary>
    public static Refused Of(ResponseHeader header) => new(header.ServiceResult, HintOf(header.AdditionalHeader));

    public void AssertIs(uint status, bool hasHint)
    {
        Assert.Equal(new StatusCode(status), Status);
        Assert.True(hasHint ? RetryAfterMs > 0 : RetryAfterMs is null, $"{this}");
    }

    /// <summary>The parameter RetryAfterMs, an Int64. Source: Part 4 §7.33, §7.1.</summary>
    private static long? HintOf(ExtensionObject header)
    {
        if (header.Body is not AdditionalParametersType parameters)
            return null;
        foreach (Gateway.Codec.Structures.KeyValuePair parameter in parameters.Parameters ?? [])
        {
            if (parameter.Key.Name == "RetryAfterMs")
                return parameter.Value.AsInt64();
        }

        return null;
    }

    [GeneratedRegex("RetryAfterMs=([0-9]{1,9})")]
    private static partial Regex Hint();
}
