using Gateway.Codec.Pooling;

namespace Gateway.Codec.Tests.Pooling;

public sealed class IdleArraysTests
{
    private readonly IdleArrays _arrays = new();

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
    public void Rent_LargerThanASegment_ComesBackAgainAndIsNotMuchLarger()
    {
        var first = ByteArrays.Rent(1_000_001);
        Assert.InRange(first.Length, 1_000_001, 1_000_001 + (64 * 1024));
        ByteArrays.Return(first);

        Assert.InRange(ByteArrays.Rent(600_000).Length, 600_000, 1_300_000);
        Assert.True(ByteArrays.Rent(ByteArrays.SegmentBytes).Length == ByteArrays.SegmentBytes);
    }
}
