using Gateway.Codec.Types;
using Gateway.Publish.Items;

namespace Gateway.Publish.Tests.Items;

public sealed class ItemTableTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Random_AddRemoveFind_LikeADictionary(int seed)
    {
        var random = new Random(seed);
        var table = new ItemTable();
        var model = new Dictionary<uint, MonitoredItem>();
        for (var step = 0; step < 5000; step++)
        {
            var id = (uint)random.Next(1, 300) * (random.Next(3) == 0 ? 64u : 1u);
            if (random.Next(2) == 0 && !model.ContainsKey(id))
            {
                var item = new MonitoredItem(null!, id, AttributeId.Value);
                model.Add(id, item);
                table.Add(id, item);
            }
            else
            {
                Assert.Equal(model.Remove(id, out var expected), table.Remove(id, out var removed));
                Assert.Same(expected, removed);
            }

            Assert.Equal(model.Count, table.Count);
            Assert.Same(model.GetValueOrDefault(id + 1), table.GetValueOrDefault(id + 1));
        }

        var all = new HashSet<MonitoredItem>();
        foreach (var item in table)
            Assert.True(all.Add(item));
        Assert.Equal(model.Values.ToHashSet(), all);
        while (table.TryTakeLast(out var last))
            Assert.True(all.Remove(last));
        Assert.Empty(all);
        Assert.Null(table.GetValueOrDefault(1));
        Assert.False(table.GetEnumerator().MoveNext());
    }
}
