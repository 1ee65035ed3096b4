using System.Globalization;
using Gateway.PubSub.Readers;
using Gateway.PubSub.Tests.DataSets;

namespace Gateway.PubSub.Tests.Readers;

/// <summary>Anybody who may write to a topic of metadata can name namespaces.</summary>
public sealed class ReaderNamespacesTests
{
    [Fact]
    public void TryGetOrAdd_MoreThanReadersMayBring_RefusedAndTheTableHasRoom()
    {
        var table = new Plant().Nodes.Namespaces;
        var before = table.Count;
        var namespaces = new ReaderNamespaces(table);

        for (var i = 0; i < ReaderNamespaces.Most; i++)
            Assert.True(namespaces.TryGetOrAdd("urn:" + i.ToString(CultureInfo.InvariantCulture), out _));

        Assert.False(namespaces.TryGetOrAdd("urn:more", out _));
        Assert.True(namespaces.TryGetOrAdd("urn:0", out var known));
        Assert.Equal((before, before + ReaderNamespaces.Most), (known, table.Count));
        Assert.False(namespaces.TryGetOrAdd("", out _));
        Assert.False(namespaces.TryGetOrAdd(new string('x', 5000), out _));
    }
}
