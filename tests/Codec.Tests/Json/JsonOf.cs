using System.Text;
using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Json;

/// <summary>Writes and reads JSON in one call: what nearly every test of it does.</summary>
internal static class JsonOf
{
    public const string Line = "urn:line;1%";

    /// <summary>Index 0 the standard's, 1 the server's own, 2 one with characters that are escaped in ids.</summary>
    public static readonly JsonUris Uris = new(
        ["http://opcfoundation.org/UA/", "urn:server", Line], ["urn:server", "urn:other"]);

    public delegate T Read<out T>(ref UaJsonReader reader);

    public static JsonFormat Format(JsonEncoding encoding) => new() { Encoding = encoding, Uris = Uris };

    public static string Text(JsonEncoding encoding, Action<UaJsonWriter> write) => Text(Format(encoding), write);

    public static string Text(JsonFormat format, Action<UaJsonWriter> write)
    {
        var writer = UaJsonWriter.Rent(format);
        write(writer);
        Assert.False(writer.Failed, writer.Status.ToString());
        var text = Encoding.UTF8.GetString(writer.WrittenSpan);
        writer.Return();
        return text;
    }

    public static string Text(JsonEncoding encoding, Variant value) => Text(encoding, w => w.WriteVariant(value));

    /// <summary>Reads and asserts that nothing failed.</summary>
    public static T Value<T>(string text, Read<T> read, JsonFormat? format = null)
    {
        var reader = new UaJsonReader(Encoding.UTF8.GetBytes(text), format ?? Format(JsonEncoding.Compact));
        var value = read(ref reader);
        reader.End();
        Assert.True(!reader.Failed, $"{reader.Status} {reader.Problem} in {text}");
        return value;
    }

    public static Variant Variant(string text) => Value(text, (ref UaJsonReader r) => r.ReadVariant());

    /// <summary>The status and the problem in words.</summary>
    public static (StatusCode Status, string? Problem) Fail<T>(
        byte[] text, Read<T> read, DecodingLimits? limits = null)
    {
        var reader = new UaJsonReader(text, Format(JsonEncoding.Compact), limits);
        read(ref reader);
        reader.End();
        return (reader.Status, reader.Problem);
    }

    public static (StatusCode Status, string? Problem) FailVariant(string text, DecodingLimits? limits = null) =>
        Fail(Encoding.UTF8.GetBytes(text), (ref UaJsonReader r) => r.ReadVariant(), limits);

    public static byte[] Binary(Variant value) => Wire.Encode((ref UaBinaryWriter w) => w.WriteVariant(value));
}
