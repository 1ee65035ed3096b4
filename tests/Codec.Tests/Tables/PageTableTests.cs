using Gateway.Codec.Tables;
using Gateway.Testing;

namespace Gateway.Codec.Tests.Tables;

public sealed class PageTableTests
{
    private readonly PageTable<object> _table = new();

    [Fact]
    public void Read_Empty_LastPage()
    {
        var page = new List<object>();

        Assert.Equal(-1, _table.Read(0, 10, page));
        Assert.Empty(page);
    }

    /// <summary>A place behind the end, and one that no cursor of ours names.</summary>
    [Theory]
    [InlineData(100_000)]
    [InlineData(int.MaxValue)]
    [InlineData(-7)]
    public void Read_FromAnyPlace_NoError(int from)
    {
        var entry = new object();
        _table.Add(entry);
        var page = new List<object>();

        Assert.Equal(-1, _table.Read(from, 10, page));
        Assert.Equal(from < 0 ? 1 : 0, page.Count);
    }

    /// <summary>The model: between two pages a part of the others goes and as many come. Those that stay are on one
    /// page each, whatever the places of the others.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(100)]
    public void Read_WhileOthersComeAndGo_EachThatStaysOnce(int limit)
    {
        var random = new Random(limit);
        var stable = Enumerable.Range(0, 500).Select(_ => new object()).ToList();
        var others = new Dictionary<object, int>();
        foreach (var entry in stable)
        {
            Churn();
            _table.Add(entry);
        }

        var seen = new List<object>();
        for (var next = 0; next >= 0;)
        {
            next = _table.Read(next, limit, seen);
            Churn();
        }

        Assert.Equal(seen.Count, seen.Distinct().Count());
        Assert.Empty(stable.Except(seen));

        void Churn()
        {
            foreach (var gone in others.Keys.Where(_ => random.Next(2) == 0).ToList())
            {
                _table.Remove(others[gone], gone);
                others.Remove(gone);
            }

            for (var i = random.Next(5); i > 0; i--)
            {
                var one = new object();
                others[one] = _table.Add(one);
            }
        }
    }

    [Fact]
    public void Remove_Twice_PlaceIsFreeOnce()
    {
        var entry = new object();
        var place = _table.Add(entry);
        _table.Remove(place, entry);
        _table.Remove(place, entry);

        Assert.NotEqual(_table.Add(new object()), _table.Add(new object()));
        Assert.Equal(2, _table.Count);
    }

    /// <summary>A page of ten thousand entries costs what a page of a hundred does.</summary>
    [Fact]
    public void Read_OfTenThousand_AllocatesAsMuchAsOfAHundred()
    {
        for (var i = 0; i < 100; i++)
            _table.Add(new object());
        var few = BytesOfAPage();
        for (var i = 0; i < 9_900; i++)
            _table.Add(new object());

        Assert.Equal(few, BytesOfAPage());
    }

    /// <summary>A crowd that has gone leaves its places to the next one.</summary>
    [Fact]
    public void Add_AfterACrowdHasGone_TakesItsPlaces()
    {
        for (var round = 0; round < 5; round++)
        {
            var crowd = Enumerable.Range(0, 1_000).Select(_ => new object()).ToDictionary(one => one, _table.Add);
            Assert.All(crowd.Values, place => Assert.InRange(place, 0, 999));
            foreach (var (entry, place) in crowd)
                _table.Remove(place, entry);
        }

        Assert.Equal(0, _table.Count);
    }

    [Fact]
    public async Task Threads_AddRemoveAndRead_NothingIsLost()
    {
        var stable = Enumerable.Range(0, 200).Select(_ => new object()).ToList();
        stable.ForEach(entry => _table.Add(entry));
        using var stop = new CancellationTokenSource();
        var churn = Enumerable.Range(0, 2).Select(_ => Task.Run(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                var entries = Enumerable.Range(0, 50).Select(_ => new object()).ToDictionary(one => one, _table.Add);
                foreach (var (entry, place) in entries)
                    _table.Remove(place, entry);
            }
        })).ToArray();

        for (var round = 0; round < 200; round++)
        {
            var seen = new List<object>();
            for (var next = 0; next >= 0;)
                next = _table.Read(next, 16, seen);
            Assert.Empty(stable.Except(seen));
        }

        await stop.CancelAsync();
        await Task.WhenAll(churn).WaitAsync(Patience.Limit);
        Assert.Equal(200, _table.Count);
    }

    private long BytesOfAPage()
    {
        var page = new List<object>(100);
        _table.Read(0, 100, page);
        page.Clear();
        var before = GC.GetAllocatedBytesForCurrentThread();
        _table.Read(0, 100, page);
        var bytes = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Equal(100, page.Count);
        return bytes;
    }
}
