namespace Gateway.Mqtt.Tests.Packets;

/// <summary>Bytes as the specification writes them.</summary>
internal static class Hex
{
    /// <summary>Blanks separate fields; <c>'abc'</c> stands for its characters.</summary>
    public static byte[] Of(string text)
    {
        var bytes = new List<byte>();
        var isText = false;
        foreach (var part in text.Split('\''))
        {
            bytes.AddRange(isText
                ? System.Text.Encoding.UTF8.GetBytes(part)
                : Convert.FromHexString(part.Replace(" ", "", StringComparison.Ordinal)));
            isText = !isText;
        }

        return [.. bytes];
    }
}
