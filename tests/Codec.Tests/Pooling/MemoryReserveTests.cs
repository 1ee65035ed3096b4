using Gateway.Codec.Pooling;
using Gateway.Testing;

namespace Gateway.Codec.Tests.Pooling;

public sealed class MemoryReserveTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly MemoryReserve _reserve;
    private long _used;
    private long _garbage;
    private int _looks;
    private int _collections;
    private int _collectionMs;

    public MemoryReserveTests() => _reserve = new MemoryReserve(
        mostBytes: 1000, lookBytes: 100,
        used: () =>
        {
            _looks++;
            return _used + _garbage;
        },
        collect: () =>
        {
            _collections++;
            _garbage = 0;
            _time.Advance(_collectionMs);
        },
        _time);

    [Fact]
    public void Allows_SmallParts_LooksOnceInAWhile()
    {
        for (var i = 0; i < 99; i++)
            Assert.True(_reserve.Allows(10));

        Assert.Equal(9, _looks);
        Assert.Equal(0, _collections);
    }

    [Fact]
    public void Allows_UpToTheReserve_NotBeyond()
    {
        _used = 800;

        Assert.True(_reserve.Allows(200));
        Assert.False(_reserve.Allows(201));
        Assert.False(_reserve.Allows(1_000_000));
    }

    [Fact]
    public void Allows_Garbage_IsCollectedFirst()
    {
        (_used, _garbage) = (500, 400);

        Assert.True(_reserve.Allows(300));
        Assert.Equal(1, _collections);
    }

    [Fact]
    public void Allows_RefusedAgainAndAgain_CollectsOnceInAWhile()
    {
        _used = 1000;
        for (var i = 0; i < 100; i++)
            Assert.False(_reserve.Allows(100));
        Assert.Equal(1, _collections);

        _time.Advance(250);
        Assert.False(_reserve.Allows(100));
        Assert.Equal(2, _collections);
    }

    /// <summary>A collection of a large heap stops everybody: a flood must not have one behind another (R44).</summary>
    [Fact]
    public void Allows_CollectionTookLong_TheNextOneComesNineTimesAsLongAfterIt()
    {
        (_used, _collectionMs) = (1000, 2000);
        Assert.False(_reserve.Allows(100));

        _time.Advance(17_999);
        Assert.False(_reserve.Allows(100));
        Assert.Equal(1, _collections);

        _time.Advance(1);
        Assert.False(_reserve.Allows(100));
        Assert.Equal(2, _collections);
    }

    [Fact]
    public void Allows_RefusedBefore_LooksAgainAtASmallOne()
    {
        _used = 1000;
        Assert.False(_reserve.Allows(100));
        Assert.False(_reserve.Allows(1));

        _used = 0;
        Assert.True(_reserve.Allows(1));
    }
}
