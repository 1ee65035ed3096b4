using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Types;

public sealed class NodeIdTextTests
{
    private static readonly string[] Uris =
        ["http://opcfoundation.org/UA/", "urn:server", "http://x/a;b%3B#c", "urn:plant"];

    public static TheoryData<string, NodeId> Forms => new()
    {
        { "i=0", default },
        { "i=85", new NodeId(85) },
        { "ns=2;i=4294967295", new NodeId(uint.MaxValue, 2) },
        { "ns=65535;s=Tag", new NodeId("Tag", 65535) },
        { "s=a;b=c#i=1", new NodeId("a;b=c#i=1", 0) },
        { "ns=1;s=", new NodeId("", 1) },
        { "ns=2;g=72962b91-fa75-4ae6-8d28-b404dc7daf63", new NodeId(SampleVariants.Guid, 2) },
        { "ns=2;b=M/RbKBsRVkePCePcx24oRA==", new NodeId(Convert.FromBase64String("M/RbKBsRVkePCePcx24oRA=="), 2) },
        { "b=", new NodeId(Array.Empty<byte>(), 0) },
    };

    [Theory]
    [MemberData(nameof(Forms))]
    public void TryParse_EachForm_GivesTheIdAndFormatTheText(string text, NodeId expected)
    {
        Assert.True(NodeIdText.TryParse(text, out NodeId value));
        Assert.Equal(expected, value);
        Assert.Equal(text, NodeIdText.Format(value));
        Assert.Equal(text, value.ToString());
        Assert.True(NodeIdText.TryParse(text, Uris, out var same));
        Assert.Equal(expected, same);
    }

    [Theory]
    [InlineData("")]
    [InlineData("85")]
    [InlineData("i=")]
    [InlineData("i=-1")]
    [InlineData("i= 1")]
    [InlineData("i=4294967296")]
    [InlineData("ns=65536;i=1")]
    [InlineData("ns=2")]
    [InlineData("ns=;i=1")]
    [InlineData("ns=2;x=1")]
    [InlineData("g=72962b91")]
    [InlineData("b=*")]
    [InlineData("nsu=urn:plant;i=1")]
    [InlineData("urn:plant#i=1")]
    [InlineData("svr=1;i=1")]
    public void TryParse_NotANodeId_IsFalse(string text) => Assert.False(NodeIdText.TryParse(text, out NodeId _));

    [Theory]
    [InlineData("nsu=urn:plant;s=Tag", 3)]
    [InlineData("urn:plant#s=Tag", 3)]
    [InlineData("nsu=http://x/a%3Bb%253B#c;s=Tag", 2)]
    [InlineData("http://x/a;b%3B#c#s=Tag", 2)]
    [InlineData("http://opcfoundation.org/UA/#s=Tag", 0)]
    public void TryParse_NamespaceUri_IsLookedUp(string text, ushort index)
    {
        Assert.True(NodeIdText.TryParse(text, Uris, out var value));
        Assert.Equal(new NodeId("Tag", index), value);
    }

    [Theory]
    [InlineData("nsu=urn:elsewhere;s=Tag")]
    [InlineData("urn:elsewhere#s=Tag")]
    [InlineData("nsu=;s=Tag")]
    [InlineData("#s=Tag")]
    [InlineData("svr=1;nsu=urn:plant;s=Tag")]
    public void TryParse_UnknownUriOrServer_IsFalse(string text) =>
        Assert.False(NodeIdText.TryParse(text, Uris, out _));

    [Theory]
    [InlineData("svr=3;nsu=urn:plant;s=Tag", "urn:plant", 3u, 0)]
    [InlineData("svr=3;ns=2;s=Tag", null, 3u, 2)]
    [InlineData("nsu=a%3Bb%25;s=Tag", "a;b%", 0u, 0)]
    public void TryParse_Expanded_RoundTrips(string text, string? uri, uint server, ushort index)
    {
        Assert.True(NodeIdText.TryParse(text, out ExpandedNodeId value));
        Assert.Equal(new ExpandedNodeId(new NodeId("Tag", index), uri, server), value);
        Assert.Equal(text, value.ToString());
    }

    [Fact]
    public void Format_WithTheTable_NamesTheUriAndComesBack()
    {
        for (ushort index = 0; index < Uris.Length; index++)
        {
            var id = new NodeId("a;b", index);
            var text = NodeIdText.Format(id, Uris);

            Assert.Equal(index != 0, text.StartsWith("nsu=", StringComparison.Ordinal));
            Assert.True(NodeIdText.TryParse(text, Uris, out var back));
            Assert.Equal(id, back);
        }

        Assert.Equal("ns=9;i=1", NodeIdText.Format(new NodeId(1, 9), Uris));
    }
}
