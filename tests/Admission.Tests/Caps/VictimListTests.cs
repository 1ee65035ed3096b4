using Gateway.Admission.Caps;

namespace Gateway.Admission.Tests.Caps;

public sealed class VictimListTests
{
    private readonly VictimList<string> _list = new();

    [Fact]
    public void TakeOfMost_OneHoldsMost_ItsOldestGoesThoughAnotherIsOlder()
    {
        _list.Add("b1", "b");
        _list.Add("a1", "a");
        _list.Add("a2", "a");
        Assert.Equal("a1", _list.TakeOfMost());
        Assert.Equal("b1", _list.TakeOfMost());
        Assert.Equal("a2", _list.TakeOfMost());
        Assert.Null(_list.TakeOfMost());
    }

    [Fact]
    public void TakeOfMost_Weights_CountNotEntries()
    {
        _list.Add("a1", "a");
        _list.Add("a2", "a");
        _list.Add("b1", "b", 3);
        Assert.Equal("b1", _list.TakeOfMost());
    }

    [Fact]
    public void TakeOfMost_NobodyHasMoreThanTheNewcomer_Null()
    {
        _list.Add("a1", "a");
        Assert.Null(_list.TakeOfMost(above: 1));
        Assert.Equal("a1", _list.TakeOfMost(above: 0));
    }

    [Fact]
    public void TakeOwn_OthersHaveMore_TakesItsOwnOldest()
    {
        _list.Add("b1", "b");
        _list.Add("b2", "b");
        _list.Add("a1", "a");
        Assert.Equal("a1", _list.TakeOwn("a"));
        Assert.Null(_list.TakeOwn("a"));
        Assert.Equal(2, _list.Count);
    }

    [Fact]
    public void Add_Twice_IsThereOnce()
    {
        _list.Add("a1", "a");
        _list.Add("a1", "b");
        Assert.Equal((1, 1, 0), (_list.Count, _list.WeightOf("a"), _list.WeightOf("b")));
    }

    /// <summary>Against a list that is searched whole.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void AnyOrder_SameVictimsAsASearchOfAll(int seed)
    {
        var random = new Random(seed);
        var model = new List<(string Value, string Holder, long Weight)>();
        for (var i = 0; i < 5_000; i++)
        {
            switch (random.Next(5))
            {
                case 0 or 1:
                    var added = ($"{i}", $"h{random.Next(12)}", (long)random.Next(1, 4));
                    model.Add(added);
                    _list.Add(added.Item1, added.Item2, added.Item3);
                    break;
                case 2 when model.Count > 0:
                    var gone = model[random.Next(model.Count)];
                    model.Remove(gone);
                    _list.Remove(gone.Value);
                    break;
                case 3:
                    var own = $"h{random.Next(12)}";
                    Assert.Equal(Take(model, entry => entry.Holder == own), _list.TakeOwn(own));
                    break;
                default:
                    var above = random.Next(6);
                    Assert.Equal(TakeOfMost(model, above), _list.TakeOfMost(above));
                    break;
            }

            Assert.Equal(model.Count, _list.Count);
        }
    }

    private static string? TakeOfMost(List<(string Value, string Holder, long Weight)> model, long above)
    {
        var most = model.GroupBy(entry => entry.Holder)
            .OrderByDescending(group => group.Sum(entry => entry.Weight))
            .ThenBy(group => group.Min(model.IndexOf))
            .FirstOrDefault();
        return most is null || most.Sum(entry => entry.Weight) <= above
            ? null
            : Take(model, entry => entry.Holder == most.Key);
    }

    private static string? Take(
        List<(string Value, string Holder, long Weight)> model,
        Predicate<(string Value, string Holder, long Weight)> of)
    {
        var index = model.FindIndex(of);
        if (index < 0)
            return null;
        var value = model[index].Value;
        model.RemoveAt(index);
        return value;
    }
}
