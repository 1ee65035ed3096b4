using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Types;

public sealed class QualifiedNameTextTests
{
    private static readonly string[] Uris = ["http://opcfoundation.org/UA/", "urn:server", "urn:a;b"];

    [Theory]
    [InlineData("Name", "Name", 0)]
    [InlineData("2:Name", "Name", 2)]
    [InlineData("2:a:b", "a:b", 2)]
    [InlineData("a:b", "a:b", 0)]
    [InlineData("65536:b", "65536:b", 0)]
    [InlineData("0:1:b", "1:b", 0)]
    [InlineData("0:nsu=x;y", "nsu=x;y", 0)]
    public void TryParse_EachForm_RoundTrips(string text, string name, ushort index)
    {
        Assert.True(QualifiedNameText.TryParse(text, out var value));
        Assert.Equal(new QualifiedName(name, index), value);
        Assert.Equal(text, value.ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("2:")]
    [InlineData("nsu=urn:server;Name")]
    public void TryParse_NotAName_IsFalse(string text) => Assert.False(QualifiedNameText.TryParse(text, out _));

    [Fact]
    public void TryParse_NamespaceUri_IsLookedUp()
    {
        Assert.True(QualifiedNameText.TryParse("nsu=urn:a%3Bb;Name", Uris, out var value));
        Assert.Equal(new QualifiedName("Name", 2), value);
        Assert.Equal("nsu=urn:a%3Bb;Name", QualifiedNameText.Format(value, Uris));
        Assert.False(QualifiedNameText.TryParse("nsu=urn:no;Name", Uris, out _));
    }

    [Fact]
    public void Format_Null_IsEmpty() => Assert.Equal("", QualifiedNameText.Format(default));
}
