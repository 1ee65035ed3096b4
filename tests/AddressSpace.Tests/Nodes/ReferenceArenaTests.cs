using Gateway.AddressSpace.Nodes;

namespace Gateway.AddressSpace.Tests.Nodes;

public class ReferenceArenaTests
{
    [Fact]
    public void AppendAndReplace_ManyNodesAtRandom_EachHasItsOwn()
    {
        const int nodes = 200;
        var random = new Random(1);
        var arena = new ReferenceArena();
        var names = new long[nodes];
        var expected = Enumerable.Range(0, nodes).Select(_ => new List<ulong>()).ToArray();
        for (var step = 0; step < 20_000; step++)
        {
            // A few nodes get most of the references, as folders and types do.
            var node = random.Next(4) == 0 ? random.Next(3) : random.Next(nodes);
            if (random.Next(20) == 0)
            {
                expected[node].RemoveAll(entry => entry % 3 == 0);
                arena.Replace(ref names[node], expected[node].ToArray());
            }
            else
            {
                var added = Enumerable.Range(0, random.Next(1, 6)).Select(_ => (ulong)random.NextInt64()).ToArray();
                expected[node].AddRange(added);
                arena.Append(ref names[node], added);
            }
        }

        for (var node = 0; node < nodes; node++)
            Assert.Equal(expected[node], arena.Read(ref names[node]).ToArray());
    }

    [Fact]
    public void Locate_ThenAppended_TheEarlierReadStaysAsItWas()
    {
        var arena = new ReferenceArena();
        var name = 0L;
        arena.Append(ref name, [1, 2, 3]);
        arena.Locate(ref name, out var entries, out var start, out var count);
        for (var i = 0ul; i < 50_000; i++)
            arena.Append(ref name, [i]);
        Assert.Equal([1ul, 2, 3], entries.AsSpan(start, count).ToArray());
        Assert.Equal(50_003, arena.Read(ref name).Length);
    }

    [Fact]
    public void Replace_ByNothing_IsEmpty()
    {
        var arena = new ReferenceArena();
        var name = 0L;
        arena.Append(ref name, [1]);
        arena.Replace(ref name, []);
        Assert.Equal(0, arena.Read(ref name).Length);
        arena.Append(ref name, [2]);
        Assert.Equal([2ul], arena.Read(ref name).ToArray());
    }
}
