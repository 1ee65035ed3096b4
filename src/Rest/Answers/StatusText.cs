using System.Text.Json;
using Gateway.Codec.Json;
using Gateway.Codec.Types;

namespace Gateway.Rest.Answers;

/// <summary>A StatusCode by its symbol: <c>Good</c>, <c>BadNodeIdUnknown</c>, <c>0x80FF0000</c> without one.</summary>
internal static class StatusText
{
    private static readonly JsonEncodedText Name = JsonEncodedText.Encode("status");
    private static readonly JsonEncodedText Good = JsonEncodedText.Encode("Good");

    public static void Write(UaJsonWriter writer, StatusCode status)
    {
        if (status.Code == 0)
            writer.Json.WriteString(Name, Good);
        else
            writer.Json.WriteString(Name, status.ToString());
    }
}
