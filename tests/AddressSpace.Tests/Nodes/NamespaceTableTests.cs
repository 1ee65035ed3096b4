using Gateway.AddressSpace.Nodes;

namespace Gateway.AddressSpace.Tests.Nodes;

public class NamespaceTableTests
{
    private readonly NamespaceTable _table = new();

    [Fact]
    public void GetOrAdd_SameUriTwice_KeepsItsIndex()
    {
        Assert.Equal(1, _table.GetOrAdd("urn:a"));
        Assert.Equal(2, _table.GetOrAdd("urn:b"));
        Assert.Equal(1, _table.GetOrAdd("urn:a"));
        Assert.Equal(0, _table.GetOrAdd(NamespaceTable.StandardUri));
        Assert.Equal(["http://opcfoundation.org/UA/", "urn:a", "urn:b"], _table.Uris);
        Assert.True(_table.TryGetIndex("nsu=urn:b;i=1".AsSpan(4, 5), out var index));
        Assert.Equal(2, index);
    }

    [Fact]
    public void IsOwn_OnlyHeardFromAPeer_SaysNoUntilTheGatewayNeedsIt()
    {
        _table.TryGetOrAdd("urn:peer", out var index);
        Assert.False(_table.IsOwn("urn:peer"));

        Assert.Equal(index, _table.GetOrAdd("urn:peer"));

        Assert.True(_table.IsOwn("urn:peer") && _table.IsOwn(NamespaceTable.StandardUri));
    }

    [Fact]
    public void Claim_ByTwo_HoldsUntilBothRelease()
    {
        var version = _table.ClaimsVersion;
        _table.Claim("urn:a");
        _table.Claim("urn:a");
        Assert.Equal(version + 1, _table.ClaimsVersion);
        _table.Release("urn:a");
        Assert.True(_table.IsClaimed("urn:a"));

        _table.Release("urn:a");
        _table.Release("urn:a");

        Assert.False(_table.IsClaimed("urn:a"));
        Assert.Equal(version + 2, _table.ClaimsVersion);
    }

    [Fact]
    public void Look_UnknownUriAndIndex_SaysSo()
    {
        Assert.False(_table.TryGetIndex("urn:a", out _));
        Assert.False(_table.TryGetIndex("urn:a".AsSpan(), out _));
        Assert.False(_table.TryGetIndex(null, out _));
        Assert.Null(_table.GetUri(1));
    }

    [Fact]
    public void TryGetOrAdd_TableFull_FalseAndNothingLost()
    {
        for (var i = 1; i <= ushort.MaxValue; i++)
            Assert.True(_table.TryGetOrAdd("urn:" + i, out _));
        Assert.False(_table.TryGetOrAdd("urn:more", out _));
        Assert.True(_table.TryGetOrAdd("urn:65535", out var last));
        Assert.Equal(ushort.MaxValue, last);
        Assert.Equal("urn:65535", _table.GetUri(last));
        Assert.Equal(ushort.MaxValue + 1, _table.Uris.Length);
    }

    [Fact]
    public async Task GetOrAdd_FromManyThreads_EachUriHasOneIndex()
    {
        var indices = await Task.WhenAll(Enumerable.Range(0, 64).Select(
            i => Task.Run(() => (Uri: $"urn:{i % 8}", Index: _table.GetOrAdd($"urn:{i % 8}")))));
        Assert.Equal(9, _table.Count);
        Assert.All(indices, found => Assert.Equal(found.Uri, _table.GetUri(found.Index)));
    }
}
