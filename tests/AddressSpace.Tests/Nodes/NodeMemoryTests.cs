using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Xunit.Abstractions;

namespace Gateway.AddressSpace.Tests.Nodes;

/// <summary>Alone in the process while it runs: it looks at the heap.</summary>
[Collection(nameof(NodeMemoryTests))]
[CollectionDefinition(nameof(NodeMemoryTests), DisableParallelization = true)]
public class NodeMemoryTests(ITestOutputHelper output)
{
    private const int Tags = 100_000;

    /// <summary>Held to what <c>ARCHITECTURE.md</c> states. The index grows by doubling: measured at 100,000 tags.
    /// </summary>
    [Fact]
    public void Apply_HundredThousandTags_TakesTheStatedBytesANode()
    {
        var space = AddressSpaces.Standard();
        var index = space.Nodes.Namespaces.GetOrAdd("urn:test");
        var before = GC.GetTotalMemory(forceFullCollection: true);
        AddTags(space, index);
        var bytes = (GC.GetTotalMemory(forceFullCollection: true) - before) / (double)Tags;
        output.WriteLine($"{bytes:F0} bytes a node, of which {NameBytes(space, index):F0} are its name");
        Assert.InRange(bytes - NameBytes(space, index), 48, 104);
        GC.KeepAlive(space);
    }

    private static void AddTags(AddressSpaces space, ushort index)
    {
        var batch = new NodeBatch();
        var facts = new VariableFacts(new NodeId(StandardIds.DataTypes.Double));
        for (var i = 0u; i < Tags; i++)
            batch.AddVariable(
                new NodeId(1000 + i, index), new QualifiedName($"Tag{i}", index), facts, null, new NodeId(85));
        space.Nodes.Apply(batch);
    }

    /// <summary>A string is 22 bytes and two a character, in steps of eight.</summary>
    private static double NameBytes(AddressSpaces space, ushort index) => Enumerable.Range(0, Tags)
        .Select(i => space.Nodes.GetBrowseName(space.Nodes.Find(new NodeId(1000 + (uint)i, index))).Name!)
        .Average(static name => (22 + 2 * name.Length + 7) / 8 * 8);
}
