using System.Text.Json;

namespace Gateway.Rest.Management;

/// <summary>The body of an upload to a folder of the PKI: <c>{"store":"trusted","certificate":"…"}</c>, PEM or Base64
/// of DER.</summary>
internal static class UploadBody
{
    /// <summary>Null: read. Otherwise what was expected.</summary>
    /// <param name="body">JSON in UTF-8.</param>
    /// <param name="member">That has the file.</param>
    /// <param name="store">The folder; empty where the body names none.</param>
    /// <param name="content">The file as it was before it was put into JSON.</param>
    public static string? Read(ReadOnlyMemory<byte> body, string member, out string store, out byte[] content)
    {
        (store, content) = ("", []);
        var expected = $"expected an object with the texts store and {member} (PEM, or Base64 of DER)";
        try
        {
            using var json = JsonDocument.Parse(body);
            if (json.RootElement.ValueKind != JsonValueKind.Object ||
                !TryText(json.RootElement, member, out var text))
                return expected;
            if (json.RootElement.TryGetProperty("store", out _) && !TryText(json.RootElement, "store", out store))
                return expected;
            content = text.Contains("-----BEGIN ", StringComparison.Ordinal)
                ? System.Text.Encoding.UTF8.GetBytes(text)
                : Convert.FromBase64String(text);
            return content.Length == 0 ? expected : null;
        }
        catch (Exception error) when (error is JsonException or FormatException or InvalidOperationException)
        {
            return expected;
        }
    }

    private static bool TryText(JsonElement of, string name, out string text)
    {
        text = of.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String
            ? value.GetString() ?? ""
            : "";
        return text.Length > 0;
    }
}
