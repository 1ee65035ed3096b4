using System.Buffers;
using System.Text;
using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Json.Transcoding;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Json;

/// <summary>Nothing of a secret stays in arrays of the shared pools.</summary>
public sealed class JsonSecretTests
{
    [Fact]
    public void Write_BySecretWriter_LeavesNothing()
    {
        Assert.True(IsLeft(secret: false), "the test finds what stays");
        Assert.False(IsLeft(secret: true));
    }

    [Theory]
    [InlineData(20)]
    [InlineData(21)]
    [InlineData(41)]
    [InlineData(5_000)]
    public void Write_BySecretWriter_IsTheSameText(int length)
    {
        var text = string.Concat(Enumerable.Repeat("a\U0001F600\"é", length))[..length];
        var value = new Variant(char.IsHighSurrogate(text[^1]) ? text[..^1] : text);
        var expected = JsonOf.Text(JsonEncoding.Compact, value);
        Assert.Equal(expected, Write(value));
        Assert.Equal(expected, Transcode(value));
    }

    private static string Write(Variant value) => BySecretWriter(w => w.WriteVariant(value));

    private static string Transcode(Variant value) =>
        BySecretWriter(w => JsonTranscoder.TryWriteVariant(w, JsonOf.Binary(value)));

    private static string BySecretWriter(Action<UaJsonWriter> write)
    {
        var writer = UaJsonWriter.Rent(JsonOf.Format(JsonEncoding.Compact), secret: true);
        write(writer);
        var text = Encoding.UTF8.GetString(writer.WrittenSpan);
        writer.Return();
        return text;
    }

    /// <summary>A thread's pool gives out first what came back last.</summary>
    private static bool IsLeft(bool secret)
    {
        // A mark of its own: an array of the other run may still lie deeper in the pool.
        var mark = secret ? "Tr0ub4dor" : "hunter2hunter2";
        // With characters that JSON escapes: those go through the runtime's own arrays. Concat has such arrays, too.
        var text = new StringBuilder().Insert(0, "\"\u0001" + mark, 300).ToString();
        var token = new UserNameIdentityToken { UserName = text, Password = Encoding.UTF8.GetBytes(text) };
        using var binary = new PooledBuffer(secret: true);
        var binaryWriter = new UaBinaryWriter(binary);
        binaryWriter.WriteVariant(new Variant(text));
        binaryWriter.Complete();
        var writer = UaJsonWriter.Rent(JsonOf.Format(JsonEncoding.Compact), secret: secret);
        writer.WriteExtensionObject(new ExtensionObject(token));
        Assert.True(JsonTranscoder.TryWriteVariant(writer, binary.WrittenSpan));
        Assert.True(writer.WrittenSpan.IndexOf(Encoding.UTF8.GetBytes(mark)) > 0);
        writer.Return();
        return Sizes().Any(size => IsIn(ArrayPool<char>.Shared, size, mark.ToCharArray())) ||
            Sizes().Any(size => IsIn(ArrayPool<byte>.Shared, size, Encoding.UTF8.GetBytes(mark)));
    }

    private static bool IsIn<T>(ArrayPool<T> pool, int size, T[] mark)
        where T : IEquatable<T>
    {
        var array = pool.Rent(size);
        var isIn = array.AsSpan().IndexOf(mark) >= 0;
        pool.Return(array);
        return isIn;
    }

    private static IEnumerable<int> Sizes() => Enumerable.Range(4, 14).Select(power => 1 << power);
}
