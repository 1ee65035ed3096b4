using Gateway.AddressSpace.Nodes;
using Gateway.Sources.OpcUa.Namespaces;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Sources.OpcUa.Tests.Namespaces;

public sealed class NamespaceClaimsTests
{
    private const string Standard = "http://opcfoundation.org/UA/";

    private readonly NamespaceTable _table = new();
    private readonly NamespaceClaims _claims;

    public NamespaceClaimsTests()
    {
        _table.GetOrAdd("urn:gateway");
        var limits = new UpstreamLimits { MaxUpstreamNamespaces = 10, MaxUpstreamTextLength = 30 };
        _claims = new NamespaceClaims(_table, limits, new NamespaceRecords(null, [], limits, NullLogger.Instance));
    }

    [Fact]
    public void Map_FirstUpstream_KeepsItsUris()
    {
        var map = _claims.Map("A", [Standard, "urn:a", "urn:data"]);
        Assert.Equal("urn:data", UriOf(map, 2));
        Assert.Empty(map.Renamed);
    }

    [Fact]
    public void Map_SecondUpstreamWithTheSameUri_GetsAUriOfItsOwnAndIsTold()
    {
        _claims.Map("A", [Standard, "urn:a", "urn:data"]);
        var map = _claims.Map("B", [Standard, "urn:b", "urn:data"]);
        Assert.Equal("urn:gateway:B:urn:data", UriOf(map, 2));
        Assert.Equal(["urn:data"], map.Renamed.Select(claim => claim.Uri));
    }

    /// <summary>As a gateway behind this one has it, or a hostile upstream.</summary>
    [Fact]
    public void Map_AnUpstreamHasTheUriThatAnotherWouldGet_EachHasAnIndexOfItsOwn()
    {
        var a = _claims.Map("A", [Standard, "urn:x", "urn:gateway:B:urn:x"]);
        UriOf(a, 1);
        Assert.Equal("urn:gateway:B:urn:x", UriOf(a, 2));

        var b = _claims.Map("B", [Standard, "urn:x"]);

        Assert.Equal("urn:gateway:B:urn:x:2", UriOf(b, 1));
    }

    [Fact]
    public void Map_NameAndUriMeetWhereTheyAreJoined_EachHasAnIndexOfItsOwn()
    {
        _claims.Map("C", [Standard, "b:x", "x"]);

        Assert.Equal("urn:gateway:A:b:x", UriOf(_claims.Map("A", [Standard, "b:x"]), 1));
        Assert.Equal("urn:gateway:A:b:x:2", UriOf(_claims.Map("A:b", [Standard, "x"]), 1));
    }

    [Fact]
    public void Map_TheGatewaysOwnUri_Renamed() => Assert.Equal(
        "urn:gateway:A:urn:gateway", UriOf(_claims.Map("A", [Standard, "urn:gateway"]), 1));

    /// <summary>A message of a publisher is there before the upstream has connected: the nodes keep their ids.
    /// </summary>
    [Fact]
    public void Map_AUriThatAPublisherNamedFirst_StaysTheUpstreams()
    {
        _table.TryGetOrAdd("urn:plc1", out var first);

        var map = _claims.Map("A", [Standard, "urn:plc1"]);

        Assert.True(map.TryToLocal(1, out var index));
        Assert.Equal(first, index);
        Assert.Empty(map.Renamed);
    }

    /// <summary>Before its nodes are browsed: the ids have to be free by then.</summary>
    [Fact]
    public void Map_NewUris_AreToldWhenTheyAreClaimed()
    {
        var isClaimed = false;
        _table.ClaimsChanged += () => isClaimed = _table.IsClaimed("urn:plc1");

        _claims.Map("A", [Standard, "urn:plc1"]);

        Assert.True(isClaimed);
    }

    [Fact]
    public void Map_Claimed_AsLongAsTheUpstreamNamesItOrNodesUseIt()
    {
        UriOf(_claims.Map("A", [Standard, "urn:used", "urn:unused"]), 1);
        Assert.True(_table.IsClaimed("urn:used") && _table.IsClaimed("urn:unused"));

        _claims.Map("A", [Standard, "urn:other"]);

        Assert.True(_table.IsClaimed("urn:used") && _table.IsClaimed("urn:other"));
        Assert.False(_table.IsClaimed("urn:unused"));
    }

    /// <summary>Over a restart the upstream's URIs are its own before it connects.</summary>
    [Fact]
    public void Configure_RecordsOfAnUpstream_AreClaimedWhileItIsConfigured()
    {
        var limits = new UpstreamLimits();
        var path = Path.Combine(Path.GetTempPath(), $"{Guid.NewGuid():N}.json");
        var before = new NamespaceClaims(
            new NamespaceTable(), limits, new NamespaceRecords(path, ["A"], limits, NullLogger.Instance));
        Assert.True(before.Map("A", [Standard, "urn:plc1"]).TryToLocal(1, out _));
        before.Save();
        try
        {
            var claims = new NamespaceClaims(
                _table, limits, new NamespaceRecords(path, ["A"], limits, NullLogger.Instance));
            Assert.True(_table.IsClaimed("urn:plc1"));

            claims.Configure(["B"]);

            Assert.False(_table.IsClaimed("urn:plc1"));
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public void Map_SameUpstreamInAnotherOrder_SameLocalIndexes()
    {
        var before = _claims.Map("A", [Standard, "urn:a", "urn:data"]);
        Assert.True(before.TryToLocal(2, out var first));
        Assert.True(before.TryToLocal(1, out var other));
        var after = _claims.Map("A", [Standard, "urn:new", "urn:data", "urn:a"]);
        // Known from the session before: also without a use in this one.
        Assert.True(after.TryToUpstream(first, out var upstream));
        Assert.Equal(2, upstream);
        Assert.True(after.TryToLocal(2, out var second));
        Assert.Equal(first, second);
        Assert.True(after.TryToLocal(3, out second));
        Assert.Equal(other, second);
    }

    [Fact]
    public void Map_UnknownIndexes_Refused()
    {
        var map = _claims.Map("A", [Standard, null]);
        Assert.True(map.TryToLocal(1, out _));
        Assert.False(map.TryToLocal(2, out _));
        Assert.False(map.TryToUpstream(1, out _));
    }

    [Fact]
    public void Map_NothingUsed_NoIndexTaken()
    {
        var count = _table.Count;
        var map = _claims.Map("A", [Standard, "urn:a", "urn:data"]);
        Assert.True(map.CanMap(2));
        Assert.Equal((count, 0), (_table.Count, map.Used));
        UriOf(map, 2);
        Assert.Equal((count + 1, 1), (_table.Count, map.Used));
    }

    [Fact]
    public void Map_StandardUriElsewhereTwiceOrTooLong_RefusedAndNeverMappedToZero()
    {
        var map = _claims.Map("A", [Standard, "urn:a", Standard, "urn:a", new string('x', 31)]);
        Assert.Equal(3, map.Refused);
        for (ushort i = 2; i < 6; i++)
        {
            Assert.False(map.CanMap(i));
            Assert.False(map.TryToLocal(i, out _));
        }

        Assert.True(map.TryToUpstream(0, out var zero));
        Assert.Equal(0, zero);
    }

    [Fact]
    public void Map_WithoutEnd_CutAndCounted()
    {
        var map = _claims.Map("A", [Standard, .. Enumerable.Range(1, 65_600).Select(i => "urn:" + i)]);
        Assert.Equal(65_590, map.Refused);
        Assert.True(map.TryToLocal(10, out _));
        Assert.False(map.TryToLocal(11, out _));
    }

    [Fact]
    public void Map_OtherUrisAtEachConnect_IndexesNotPastTheLimit()
    {
        var count = _table.Count;
        for (var connect = 0; connect < 5; connect++)
        {
            var map = _claims.Map("A", [Standard, .. Enumerable.Range(0, 5).Select(i => $"urn:{connect}:{i}")]);
            for (ushort i = 1; i <= 5; i++)
                Assert.Equal(connect < 2, map.TryToLocal(i, out _));
        }

        Assert.Equal(count + 10, _table.Count);
        // Another upstream has a share of its own, and may use what the first only named.
        Assert.Equal("urn:3:0", UriOf(_claims.Map("B", [Standard, "urn:3:0"]), 1));
    }

    [Fact]
    public void TryToLocal_TheMapOfAnEarlierSession_TakesNothingThatIsAnothersByNow()
    {
        var earlier = _claims.Map("A", [Standard, "urn:x"]);
        _claims.Map("A", [Standard, "urn:y"]);
        var other = _claims.Map("B", [Standard, "urn:x"]);

        Assert.False(earlier.TryToLocal(1, out _));
        Assert.Equal("urn:x", UriOf(other, 1));
    }

    [Fact]
    public void Map_AUriNamedAfterAnotherUpstream_IsServedUnderItsOwnName()
    {
        var limits = new UpstreamLimits();
        var claims = new NamespaceClaims(
            _table, limits, new NamespaceRecords(null, ["A", "B"], limits, NullLogger.Instance));

        Assert.Equal("urn:gateway:B:urn:gateway:A:urn:x", UriOf(claims.Map("B", [Standard, "urn:gateway:A:urn:x"]), 1));
        Assert.Equal("urn:gateway:A:urn:x", UriOf(claims.Map("A", [Standard, "urn:gateway:A:urn:x"]), 1));
    }

    private string? UriOf(NamespaceMap map, ushort index)
    {
        Assert.True(map.TryToLocal(index, out var local));
        return _table.GetUri(local);
    }
}
