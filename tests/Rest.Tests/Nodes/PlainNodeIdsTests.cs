using System.Text;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Rest.Nodes;

namespace Gateway.Rest.Tests.Nodes;

/// <summary>What is read straight from UTF-8 is what the parser of texts makes of it; the rest is left to that one.
/// </summary>
public sealed class PlainNodeIdsTests
{
    private readonly NamespaceTable _namespaces = new();

    public PlainNodeIdsTests()
    {
        _namespaces.GetOrAdd("urn:own");
        _namespaces.GetOrAdd("urn:plänt");
    }

    [Theory]
    [InlineData("nsu=urn:own;i=0")]
    [InlineData("nsu=urn:own;i=4294967295")]
    [InlineData("nsu=urn:own;i=007")]
    [InlineData("nsu=urn:plänt;s=Pümp;1")]
    [InlineData("nsu=urn:own;s=i=1")]
    [InlineData("ns=2;i=7")]
    [InlineData("ns=65535;s=x")]
    [InlineData("ns=0;i=2258")]
    public void TryRead_UsualForm_SameAsTheParserOfTexts(string text)
    {
        var plain = new PlainNodeIds(_namespaces);

        Assert.True(plain.TryRead(Encoding.UTF8.GetBytes(text), out var id));
        Assert.True(NodeIdText.TryParse(text, _namespaces.Uris.ToArray(), out var expected));
        Assert.Equal(expected, id);
    }

    [Theory]
    [InlineData("i=2258")]
    [InlineData("nsu=urn:nowhere;i=1")]
    [InlineData("nsu=urn%3Aown;i=1")]
    [InlineData("nsu=;i=1")]
    [InlineData("ns=;i=1")]
    [InlineData("ns=-1;i=1")]
    [InlineData("ns=+1;i=1")]
    [InlineData("ns=1 ;i=1")]
    [InlineData("ns=65536;i=1")]
    [InlineData("ns=1;i=")]
    [InlineData("ns=1;i=+1")]
    [InlineData("ns=1;i=-1")]
    [InlineData("ns=1;i=1 ")]
    [InlineData("ns=1;i=0x1")]
    [InlineData("ns=1;i=4294967296")]
    [InlineData("ns=1;s=a\0b")]
    [InlineData("ns=1;g=00000000-0000-0000-0000-000000000001")]
    [InlineData("ns=1;b=AA==")]
    [InlineData("svr=1;ns=1;i=1")]
    [InlineData("/Objects")]
    [InlineData(";")]
    [InlineData("")]
    public void TryRead_AnyOtherForm_IsNotForIt(string text)
    {
        var plain = new PlainNodeIds(_namespaces);

        Assert.False(plain.TryRead(Encoding.UTF8.GetBytes(text), out _));
    }

    [Fact]
    public void TryRead_InvalidUtf8_IsNotForIt()
    {
        var plain = new PlainNodeIds(_namespaces);
        byte[] identifier = [.. "ns=1;s="u8, 0xC3, 0x28];
        byte[] uri = [.. "nsu=urn:own"u8, 0xFF, .. ";i=1"u8];

        Assert.False(plain.TryRead(identifier, out _));
        Assert.False(plain.TryRead(uri, out _));
    }

    /// <summary>The namespace of the one before is not that of the next.</summary>
    [Fact]
    public void TryRead_ManyInARow_EachInItsNamespace()
    {
        var plain = new PlainNodeIds(_namespaces);
        var indexes = new List<ushort>();
        string[] texts = ["nsu=urn:own;i=1", "nsu=urn:own;i=2", "ns=2;i=1", "nsu=urn:plänt;i=1", "ns=9;i=1"];
        foreach (var text in texts)
        {
            Assert.True(plain.TryRead(Encoding.UTF8.GetBytes(text), out var id));
            indexes.Add(id.NamespaceIndex);
        }

        Assert.False(plain.TryRead("nsu=urn:nowhere;i=1"u8, out _));
        Assert.True(plain.TryRead("nsu=urn:own;i=1"u8, out var last));
        Assert.Equal([1, 1, 2, 2, 9], indexes);
        Assert.Equal(1, last.NamespaceIndex);
    }
}
