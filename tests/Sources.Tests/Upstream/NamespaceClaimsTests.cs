using Gateway.AddressSpace.Nodes;
using Gateway.Sources.Upstream;

namespace Gateway.Sources.Tests.Upstream;

public sealed class NamespaceClaimsTests
{
    private const string Standard = "http://opcfoundation.org/UA/";

    private readonly NamespaceTable _table = new();
    private readonly List<(string Uri, string Became)> _renamed = [];
    private readonly NamespaceClaims _claims;

    public NamespaceClaimsTests()
    {
        _table.GetOrAdd("urn:gateway");
        _claims = new NamespaceClaims(_table);
    }

    [Fact]
    public void Map_FirstUpstream_KeepsItsUris()
    {
        var map = _claims.Map("A", [Standard, "urn:a", "urn:data"], _renamed);
        Assert.Empty(_renamed);
        Assert.True(map.TryToLocal(2, out var local));
        Assert.Equal("urn:data", _table.GetUri(local));
    }

    [Fact]
    public void Map_SecondUpstreamWithTheSameUri_GetsAUriOfItsOwnAndIsTold()
    {
        _claims.Map("A", [Standard, "urn:a", "urn:data"], _renamed);
        var map = _claims.Map("B", [Standard, "urn:b", "urn:data"], _renamed);
        Assert.Equal([("urn:data", "urn:gateway:B:urn:data")], _renamed);
        Assert.True(map.TryToLocal(2, out var local));
        Assert.Equal("urn:gateway:B:urn:data", _table.GetUri(local));
    }

    [Fact]
    public void Map_TheGatewaysOwnUri_Renamed()
    {
        _claims.Map("A", [Standard, "urn:gateway"], _renamed);
        Assert.Equal([("urn:gateway", "urn:gateway:A:urn:gateway")], _renamed);
    }

    [Fact]
    public void Map_SameUpstreamInAnotherOrder_SameLocalIndexes()
    {
        var before = _claims.Map("A", [Standard, "urn:a", "urn:data"], _renamed);
        var after = _claims.Map("A", [Standard, "urn:new", "urn:data", "urn:a"], _renamed);
        Assert.True(before.TryToLocal(2, out var first));
        Assert.True(after.TryToLocal(2, out var second));
        Assert.Equal(first, second);
        Assert.True(after.TryToUpstream(second, out var upstream));
        Assert.Equal(2, upstream);
        Assert.True(before.TryToLocal(1, out first));
        Assert.True(after.TryToLocal(3, out second));
        Assert.Equal(first, second);
    }

    [Fact]
    public void Map_UnknownIndexes_Refused()
    {
        var map = _claims.Map("A", [Standard, null], _renamed);
        Assert.True(map.TryToLocal(1, out _));
        Assert.False(map.TryToLocal(2, out _));
        Assert.False(map.TryToUpstream(1, out _));
    }
}
