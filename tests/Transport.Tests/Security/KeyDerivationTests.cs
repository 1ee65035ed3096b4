using Gateway.Transport.Security;

namespace Gateway.Transport.Tests.Security;

public sealed class KeyDerivationTests
{
    /// <summary>The P_SHA256 vector that the TLS working group's list published for RFC 5246.</summary>
    [Fact]
    public void PSha256_PublishedVector_SameBytes()
    {
        var secret = Convert.FromHexString("9bbe436ba940f017b17652849a71db35");
        var seed = "test label"u8.ToArray().Concat(Convert.FromHexString("a0ba9f936cda311827a6f796ffd5198c")).ToArray();
        var output = new byte[100];

        KeyDerivation.PSha256(secret, seed, output);

        Assert.Equal(
            "e3f229ba727be17b8d122620557cd453c2aab21d07c3d495329b52d4e61edb5a6b301791e90d35c9c9a46b4e14baf9af0fa022f7" +
            "077def17abfd3797c0564bab4fbc91666e9def9b97fce34f796789baa48082d122ee42c5a72e5a5110fff70187347b66",
            Convert.ToHexStringLower(output));
    }

    [Fact]
    public void DeriveSenderKeys_Aes128_LengthsOfThePolicy()
    {
        using var keys = KeyDerivation.DeriveSenderKeys(
            SecurityPolicies.Aes128Sha256RsaOaep, new byte[32], Enumerable.Repeat((byte)1, 32).ToArray());

        Assert.Equal(32, keys.SigningKey.Length);
        Assert.Equal(16, keys.EncryptionKey.Length);
        Assert.Equal(16, keys.InitializationVector.Length);
    }
}
