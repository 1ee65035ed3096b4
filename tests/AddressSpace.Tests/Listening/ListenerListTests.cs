using Gateway.AddressSpace.Listening;

namespace Gateway.AddressSpace.Tests.Listening;

public sealed class ListenerListTests
{
    private readonly ListenerList<List<int>> _list = new();
    private readonly List<int> _one = [];
    private readonly List<int> _two = [];

    [Fact]
    public void Tell_Several_AllHearUntilTheyAreRemoved()
    {
        var first = _list.Add(_one);
        using var second = _list.Add(_two);
        Tell(1);
        first.Dispose();
        first.Dispose();
        Tell(2);
        Assert.Equal([1], _one);
        Assert.Equal([1, 2], _two);
    }

    [Fact]
    public void Dispose_OfOneAddedTwice_RemovesOneOfThem()
    {
        _list.Add(_one);
        _list.Add(_one).Dispose();
        Tell(1);
        Assert.Equal([1], _one);
    }

    [Fact]
    public void Tell_FirstThrows_TheOthersHearAndItComesOut()
    {
        _list.Add(_one);
        _list.Add(_two);
        var error = Assert.Throws<InvalidOperationException>(() => _list.Tell(1, (listener, what) =>
        {
            listener.Add(what);
            throw new InvalidOperationException(ReferenceEquals(listener, _one) ? "one" : "two");
        }));
        Assert.Equal("one", error.Message);
        Assert.Equal([1], _two);
    }

    private void Tell(int what) => _list.Tell(what, static (listener, told) => listener.Add(told));
}
