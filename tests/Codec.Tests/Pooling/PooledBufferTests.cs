using Gateway.Codec.Pooling;

namespace Gateway.Codec.Tests.Pooling;

public sealed class PooledBufferTests
{
    [Fact]
    public void Write_AndGrow_KeepsHeadroomAndBytes()
    {
        using var buffer = new PooledBuffer(headroom: 4);
        buffer.Write([1, 2]);
        buffer.WholeSpan[0] = 42;
        buffer.Write(new byte[10_000]);
        buffer.Write([3]);

        Assert.Equal(10_003, buffer.Length);
        Assert.Equal(10_007, buffer.WholeSpan.Length);
        Assert.Equal(42, buffer.WholeSpan[0]);
        Assert.Equal(1, buffer.WrittenSpan[0]);
        Assert.Equal(3, buffer.WrittenSpan[^1]);
        Assert.True(buffer.WrittenSpan.SequenceEqual(buffer.WrittenMemory.Span));
    }

    [Fact]
    public void Write_PastTheLimit_Throws()
    {
        using var buffer = new PooledBuffer(headroom: 100, limitBytes: 10);
        buffer.Write(new byte[10]);

        Assert.Equal(0, buffer.FreeSpan.Length);
        Assert.False(buffer.TryGrow(0, 1));
        Assert.Throws<InvalidOperationException>(() => buffer.Write([1]));
        Assert.Equal(10, buffer.Length);
    }

    [Fact]
    public void Advance_MoreThanIsFree_Throws()
    {
        using var buffer = new PooledBuffer(limitBytes: 10);

        Assert.Throws<ArgumentOutOfRangeException>(() => buffer.Advance(11));
        Assert.Throws<ArgumentOutOfRangeException>(() => buffer.Advance(-1));
    }

    [Fact]
    public void Reset_AfterUse_IsEmptyAndUsable()
    {
        using var buffer = new PooledBuffer(headroom: 4);
        buffer.Write(new byte[300_000]);
        buffer.Reset();

        Assert.Equal(0, buffer.Length);
        Assert.True(buffer.WrittenSpan.IsEmpty);
        buffer.Write([7]);
        Assert.Equal([7], buffer.WrittenSpan.ToArray());
    }

    [Fact]
    public void Reset_Secret_ClearsWhatWasWritten()
    {
        using var buffer = new PooledBuffer(secret: true);
        buffer.Write([1, 2, 3]);
        buffer.Reset();

        Assert.Equal([0, 0, 0], buffer.FreeSpan[..3].ToArray());
    }

    [Fact]
    public void Dispose_Twice_ReturnsTheArrayOnce()
    {
        var buffer = new PooledBuffer();
        buffer.Write([1]);
        buffer.Dispose();
        buffer.Dispose();

        Assert.Equal(0, buffer.Length);
        buffer.Write([2]);
        Assert.Equal([2], buffer.WrittenSpan.ToArray());
        buffer.Dispose();
    }
}
