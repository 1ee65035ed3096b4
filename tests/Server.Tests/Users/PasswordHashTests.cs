using Gateway.Server.Users;

namespace Gateway.Server.Tests.Users;

public sealed class PasswordHashTests
{
    [Fact]
    public void Create_WrittenAndRead_VerifiesThePasswordAlone()
    {
        var text = PasswordHash.Create("correct horse"u8, 10_000).ToString();

        Assert.StartsWith("pbkdf2-sha256$10000$", text, StringComparison.Ordinal);
        Assert.True(PasswordHash.TryParse(text, out var hash));
        Assert.True(hash.Verify("correct horse"u8));
        Assert.False(hash.Verify("correct hors"u8));
        Assert.False(hash.Verify(""u8));
    }

    [Fact]
    public void Create_Twice_DifferentSalts() =>
        Assert.NotEqual(PasswordHash.Create("x"u8, 10_000).ToString(), PasswordHash.Create("x"u8, 10_000).ToString());

    [Theory]
    [InlineData("")]
    [InlineData("plain")]
    [InlineData("pbkdf2-sha1$10000$AAAAAAAAAAAAAAAAAAAAAA==$AAAA")]
    [InlineData("pbkdf2-sha256$1$AAAAAAAAAAAAAAAAAAAAAA==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")]
    [InlineData("pbkdf2-sha256$2000000000$AAAAAAAAAAAAAAAAAAAAAA==$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")]
    [InlineData("pbkdf2-sha256$10000$AAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")]
    [InlineData("pbkdf2-sha256$10000$AAAAAAAAAAAAAAAAAAAAAA==$AAAA")]
    [InlineData("pbkdf2-sha256$10000$!!!!$AAAA")]
    public void TryParse_NoHash_False(string text) => Assert.False(PasswordHash.TryParse(text, out _));
}
