using System.Globalization;
using Gateway.AddressSpace.Nodes;
using Gateway.PubSub.Readers;
using Gateway.PubSub.Tests.DataSets;

namespace Gateway.PubSub.Tests.Readers;

/// <summary>Anybody who may write to a topic of metadata can name namespaces.</summary>
public sealed class ReaderNamespacesTests
{
    private readonly NamespaceTable _table = new Plant().Nodes.Namespaces;

    [Fact]
    public void TryGetOrAdd_MoreThanAPublisherMayBring_RefusedAndOthersHaveTheirShare()
    {
        var before = _table.Count;
        var namespaces = new ReaderNamespaces(_table);

        Bring(namespaces, "p", ReaderNamespaces.MostOfPublisher);

        Assert.False(namespaces.TryGetOrAdd("p", "urn:more", out _));
        Assert.True(namespaces.TryGetOrAdd("p", "urn:p:0", out var known));
        Assert.True(namespaces.TryGetOrAdd("q", "urn:more", out _));
        Assert.True(namespaces.TryGetOrAdd("p", "urn:more", out _));
        Assert.Equal((before, before + ReaderNamespaces.MostOfPublisher + 1), (known, _table.Count));
        Assert.False(namespaces.TryGetOrAdd("q", "", out _));
        Assert.False(namespaces.TryGetOrAdd("q", new string('x', 5000), out _));
    }

    [Fact]
    public void TryGetOrAdd_MoreThanAllMayBring_RefusedAndTheTableHasRoom()
    {
        var namespaces = new ReaderNamespaces(_table);
        for (var i = 0; i < ReaderNamespaces.Most / ReaderNamespaces.MostOfPublisher; i++)
            Bring(namespaces, i.ToString(CultureInfo.InvariantCulture), ReaderNamespaces.MostOfPublisher);

        Assert.False(namespaces.TryGetOrAdd("another", "urn:more", out _));

        Assert.True(_table.TryGetOrAdd("urn:upstream", out _));
    }

    private static void Bring(ReaderNamespaces namespaces, string publisher, int count)
    {
        for (var i = 0; i < count; i++)
            Assert.True(namespaces.TryGetOrAdd(publisher, $"urn:{publisher}:{i}", out _));
    }
}
