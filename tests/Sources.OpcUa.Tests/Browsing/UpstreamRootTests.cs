using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Browsing;
using Gateway.Sources.OpcUa.Namespaces;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Sources.OpcUa.Tests.Browsing;

public sealed class UpstreamRootTests
{
    private readonly NamespaceTable _table = new();
    private readonly NamespaceMap _map;

    public UpstreamRootTests()
    {
        _table.GetOrAdd("urn:data");
        _map = new NamespaceClaims(
            _table, UpstreamLimits.Default,
            new NamespaceRecords(null, [], UpstreamLimits.Default, NullLogger.Instance))
            .Map("B", ["http://opcfoundation.org/UA/", "urn:own", "urn:data"]);
    }

    [Theory]
    [InlineData("ns=2;s=Line")]
    [InlineData("nsu=urn:data;s=Line")]
    [InlineData("urn:data#s=Line")]
    [InlineData("nsu=urn:gateway:B:urn:data;s=Line")]
    public void TryParse_EachTextForm_TheUpstreamsId(string text)
    {
        Assert.True(UpstreamRoot.TryParse(text, "B", _map, out var root));
        Assert.Equal(new NodeId("Line", 2), root);
    }

    [Theory]
    [InlineData("ns=7;s=Line")]
    [InlineData("nsu=urn:other;s=Line")]
    [InlineData("nonsense")]
    public void TryParse_NotAtTheUpstream_False(string text) =>
        Assert.False(UpstreamRoot.TryParse(text, "B", _map, out _));
}
