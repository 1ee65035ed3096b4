using Gateway.Codec.Json;
using Gateway.Codec.Types;

namespace Gateway.Rest.Answers;

/// <summary>A StatusCode by its symbol: <c>Good</c>, <c>BadNodeIdUnknown</c>, <c>0x80FF0000</c> without one.</summary>
internal static class StatusText
{
    public static void Write(UaJsonWriter writer, StatusCode status)
    {
        if (status.Code == 0)
            writer.Json.WriteString("status"u8, "Good"u8);
        else
            writer.Json.WriteString("status"u8, status.ToString());
    }
}
