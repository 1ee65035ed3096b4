using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Binary;

public sealed class UaBinaryWriterTests
{
    [Fact]
    public void Write_PastTheFirstArray_KeepsWhatWasWritten()
    {
        using var buffer = new PooledBuffer(headroom: 24);
        var writer = new UaBinaryWriter(buffer);
        for (var i = 0; i < 100_000; i++)
            writer.WriteInt32(i);
        writer.Complete();

        var reader = new UaBinaryReader(buffer.WrittenSpan);
        for (var i = 0; i < 100_000; i++)
            Assert.Equal(i, reader.ReadInt32());
        Assert.Equal(0, reader.Remaining);
        Assert.Equal(24 + 400_000, buffer.WholeSpan.Length);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(600)]
    public void Write_EveryLimit_WritesUpToItAndThenFails(int limit)
    {
        using var buffer = new PooledBuffer(8, limit);
        var writer = new UaBinaryWriter(buffer);
        for (var i = 0; i < limit; i++)
            writer.WriteByte((byte)i);
        Assert.False(writer.Failed);

        writer.WriteByte(1);
        writer.WriteString("lost");
        writer.WriteRaw([1, 2]);

        Assert.Equal(StatusCodes.BadEncodingLimitsExceeded, writer.Status.Code);
        Assert.Equal(limit, writer.Position);
        writer.Complete();
        Assert.Equal(limit, buffer.Length);
    }

    /// <summary>A string is first reserved at its largest possible size: it must still fit where it exactly fits.
    /// </summary>
    [Theory]
    [InlineData("aaaa", 8)]
    [InlineData("水", 7)]
    [InlineData("", 4)]
    public void WriteString_ExactlyTheLimit_Fits(string text, int limit)
    {
        using var buffer = new PooledBuffer(0, limit);
        var writer = new UaBinaryWriter(buffer);
        writer.WriteString(text);
        Assert.False(writer.Failed);
        Assert.Equal(limit, writer.Position);

        using var smaller = new PooledBuffer(0, limit - 1);
        var failing = new UaBinaryWriter(smaller);
        failing.WriteString(text);
        Assert.True(failing.Failed);
        Assert.Equal(0, failing.Position);
    }

    [Fact]
    public void WriteString_LoneSurrogate_IsReplacedAndNotRefused()
    {
        var bytes = Wire.Encode((ref UaBinaryWriter w) => w.WriteString("a\uD800b"));

        Assert.Equal("a\uFFFDb", Wire.Decode(bytes, (ref UaBinaryReader r) => r.ReadString()));
    }

    [Fact]
    public void BeginLength_AcrossGrowth_PatchesTheRightPlace()
    {
        var bytes = Wire.Encode((ref UaBinaryWriter w) =>
        {
            w.WriteByte(9);
            var start = w.BeginLength();
            w.WriteRaw(new byte[5000]);
            w.EndLength(start);
        });

        Assert.Equal(5005, bytes.Length);
        Assert.Equal(5000, BitConverter.ToInt32(bytes, 1));
    }

    [Fact]
    public void BeginLength_Failed_WritesNothing()
    {
        using var buffer = new PooledBuffer(0, 6);
        var writer = new UaBinaryWriter(buffer);
        var start = writer.BeginLength();
        writer.WriteInt64(1);
        writer.EndLength(start);
        writer.PatchUInt32(0, 5);

        Assert.True(writer.Failed);
    }

    [Fact]
    public void RewindTo_Element_TakesItBack()
    {
        var bytes = Wire.Encode((ref UaBinaryWriter w) =>
        {
            w.WriteByte(1);
            var position = w.Position;
            w.WriteString("too much");
            w.RewindTo(position);
            w.WriteByte(2);
        });

        Assert.Equal([1, 2], bytes);
    }

    [Fact]
    public void Write_SecondWriter_StartsBehindTheFirst()
    {
        using var buffer = new PooledBuffer();
        var first = new UaBinaryWriter(buffer);
        first.WriteUInt16(0x0201);
        first.Complete();
        var second = new UaBinaryWriter(buffer);
        second.WriteUInt16(0x0403);
        second.Complete();

        Assert.Equal([1, 2, 3, 4], buffer.WrittenSpan.ToArray());
    }

    [Fact]
    public void WriteArray_NullAndEmpty_AreDifferent()
    {
        Assert.Equal("FFFFFFFF", Hex((ref UaBinaryWriter w) => w.WriteBlittableArray<int>(null)));
        Assert.Equal("00000000", Hex((ref UaBinaryWriter w) => w.WriteBlittableArray<int>([])));
        Assert.Equal("FFFFFFFF", Hex((ref UaBinaryWriter w) => w.WriteArray(BuiltInType.String, null)));
        Assert.Equal("FFFFFFFF", Hex((ref UaBinaryWriter w) => w.WriteByteString(null)));
    }

    private static string Hex(Wire.Write write) => Convert.ToHexString(Wire.Encode(write));
}
