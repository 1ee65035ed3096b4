using Gateway.Codec.Pooling;

namespace Gateway.Codec.Tests.Pooling;

public sealed class IdleArraysTests
{
    private readonly IdleArrays _arrays = new(warmBytes: 100_000);

    [Fact]
    public void Trim_ArraysThatNobodyNeededSinceTheLast_AreDropped()
    {
        for (var i = 0; i < 10; i++)
            _arrays.Add(new byte[100]);
        _arrays.Trim();
        Assert.Equal(1000, _arrays.Bytes);

        var three = Enumerable.Range(0, 3).Select(_ => _arrays.Take(100, 100)!).ToList();
        three.ForEach(_arrays.Add);
        _arrays.Trim();
        Assert.Equal(300, _arrays.Bytes);
        _arrays.Trim();
        Assert.Equal(0, _arrays.Bytes);
    }

    [Fact]
    public void Take_OnlyArraysOfAnotherSize_Null()
    {
        _arrays.Add(new byte[1000]);

        Assert.Null(_arrays.Take(1001, 2000));
        Assert.Null(_arrays.Take(100, 200));
        Assert.NotNull(_arrays.Take(900, 1800));
        Assert.Equal(0, _arrays.Bytes);
    }

    [Fact]
    public void Add_MoreThanWarmBytes_SystemHasTheMemoryBackAndTheArrayIsUsable()
    {
        var warm = Filled();
        var cold = Filled();
        _arrays.Add(warm);
        _arrays.Add(cold);

        Assert.DoesNotContain((byte)0, warm);
        Assert.Equal(OperatingSystem.IsLinux(), cold.Contains((byte)0));
        Assert.Same(cold, _arrays.Take(cold.Length, cold.Length));
        cold.AsSpan().Fill(2);
        Assert.DoesNotContain((byte)0, cold);
    }

    [Fact]
    public void Trim_WarmArrayThatNobodyNeeded_SystemHasTheMemoryBack()
    {
        var array = Filled();
        _arrays.Add(array);
        _arrays.Trim();
        Assert.DoesNotContain((byte)0, array);
        _arrays.Trim();
        Assert.Equal(OperatingSystem.IsLinux(), array.Contains((byte)0));
        Assert.Equal(0, _arrays.Bytes);
    }

    /// <summary>The pool is the process's: an array that another test returned may come out, of twice the size at
    /// most.</summary>
    [Theory]
    [InlineData(ByteArrays.SegmentBytes + 1)]
    [InlineData(600_000)]
    [InlineData(1_000_001)]
    public void Rent_LargerThanASegment_AtMostTwiceItsStep(int bytes)
    {
        var array = ByteArrays.Rent(bytes);
        Assert.InRange(array.Length, bytes, 2 * (bytes + (64 * 1024)));
        ByteArrays.Return(array);
    }

    [Fact]
    public void Rent_ASegmentOrALittleLess_ExactlyASegment()
    {
        Assert.Equal(ByteArrays.SegmentBytes, ByteArrays.Rent(ByteArrays.SegmentBytes).Length);
        Assert.Equal(ByteArrays.SegmentBytes, ByteArrays.Rent(ByteArrays.SegmentBytes - 1000).Length);
    }

    private static byte[] Filled()
    {
        var array = GC.AllocateArray<byte>(80_000, pinned: true);
        array.AsSpan().Fill(1);
        return array;
    }

    [Fact]
    public void Add_MoreThanMayBeIdle_IsNotKept()
    {
        var few = new IdleArrays(warmBytes: 100_000, mostBytes: 150_000);
        var kept = GC.AllocateUninitializedArray<byte>(100_000, pinned: true);
        few.Add(kept);
        few.Add(GC.AllocateUninitializedArray<byte>(100_000, pinned: true));

        Assert.Equal(100_000, few.Bytes);
        Assert.Same(kept, few.Take(100_000, 100_000));
        Assert.Null(few.Take(100_000, 100_000));
    }

    [Fact]
    public void Clear_AllAreGone()
    {
        _arrays.Add(GC.AllocateUninitializedArray<byte>(100_000, pinned: true));

        _arrays.Clear();

        Assert.Equal(0, _arrays.Bytes);
        Assert.Null(_arrays.Take(1, 1_000_000));
    }
}
