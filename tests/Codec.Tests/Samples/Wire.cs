using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Samples;

/// <summary>Encodes and decodes in one call: what nearly every codec test does.</summary>
internal static class Wire
{
    public delegate void Write(ref UaBinaryWriter writer);

    public delegate T Read<out T>(ref UaBinaryReader reader);

    public static byte[] Encode(Write write)
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        write(ref writer);
        Assert.False(writer.Failed, writer.Status.ToString());
        writer.Complete();
        return buffer.WrittenSpan.ToArray();
    }

    public static byte[] Encode(IStructure structure) => Encode((ref UaBinaryWriter w) => structure.Encode(ref w));

    /// <summary>Decodes and asserts that every byte was used and nothing failed.</summary>
    public static T Decode<T>(byte[] bytes, Read<T> read)
    {
        var reader = new UaBinaryReader(bytes);
        var value = read(ref reader);
        Assert.Equal(StatusCode.Good, reader.Status);
        Assert.Equal(0, reader.Remaining);
        return value;
    }

    public static StatusCode Fail<T>(byte[] bytes, Read<T> read, DecodingLimits? limits = null)
    {
        var reader = new UaBinaryReader(bytes, limits);
        read(ref reader);
        return reader.Status;
    }
}
