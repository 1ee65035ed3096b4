using System.Text;
using Gateway.Host.Http;

namespace Gateway.Tests.Http;

public sealed class BasicCredentialsTests
{
    [Theory]
    [InlineData("anna:horse", "anna", "horse")]
    [InlineData("anna:ho:rse", "anna", "ho:rse")]
    [InlineData(":", "", "")]
    [InlineData("änna:pässword", "änna", "pässword")]
    public void TryParse_Written_Read(string plain, string user, string password)
    {
        var header = "basic  " + Convert.ToBase64String(Encoding.UTF8.GetBytes(plain));

        Assert.True(BasicCredentials.TryParse(header, out var credentials));
        Assert.Equal(user, credentials.Value.User);
        Assert.Equal(password, Encoding.UTF8.GetString(credentials.Value.Password));
    }

    [Theory]
    [InlineData("")]
    [InlineData("Basic")]
    [InlineData("Basic !!!")]
    [InlineData("Basic YW5uYQ==")]
    [InlineData("Basic //9hOmI=")]
    [InlineData("Bearer YW5uYTpi")]
    public void TryParse_Broken_False(string header) => Assert.False(BasicCredentials.TryParse(header, out _));

    [Fact]
    public void TryParse_Endless_False() =>
        Assert.False(BasicCredentials.TryParse("Basic " + new string('A', 8_192), out _));
}
