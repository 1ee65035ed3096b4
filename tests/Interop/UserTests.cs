using System.Text.Json;
using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>Each kind of user, right and wrong, as node-opcua's client presents it.</summary>
public sealed class UserTests(UserFixture fixture) : IClassFixture<UserFixture>
{
    private const string Writable = "ns=2;s=Int32";

    [PeerFact]
    public async Task Anonymous_Default_ReadsButDoesNotWrite()
    {
        JsonElement attempt = await AttemptAsync(new { name = "anonymous", kind = "Anonymous", write = Writable });

        AssertOk(attempt);
        Assert.Equal("BadUserAccessDenied", attempt.GetProperty("write").GetString());
    }

    [PeerTheory]
    [InlineData("None", "None")]
    [InlineData("Basic256Sha256", "Sign")]
    [InlineData("Basic256Sha256", "SignAndEncrypt")]
    [InlineData("Aes128_Sha256_RsaOaep", "SignAndEncrypt")]
    [InlineData("Aes256_Sha256_RsaPss", "SignAndEncrypt")]
    public async Task UserName_RightPassword_WritesAsOperator(string policy, string mode)
    {
        JsonElement attempt = await AttemptAsync(new
        {
            name = "operator",
            kind = "UserName",
            userName = "operator",
            password = "correct horse",
            policy,
            mode,
            write = Writable,
        });

        AssertOk(attempt);
        Assert.Equal("Good", attempt.GetProperty("write").GetString());
    }

    [PeerFact]
    public async Task UserName_Observer_IsRefusedTheWrite()
    {
        JsonElement attempt = await AttemptAsync(new
        {
            name = "watcher",
            kind = "UserName",
            userName = "watcher",
            password = "battery",
            write = Writable,
        });

        AssertOk(attempt);
        Assert.Equal("BadUserAccessDenied", attempt.GetProperty("write").GetString());
    }

    [PeerTheory]
    [InlineData("operator", "wrong")]
    [InlineData("operator", "")]
    [InlineData("Operator", "correct horse")]
    [InlineData("nobody", "correct horse")]
    public async Task UserName_WrongCredential_IsRefused(string userName, string password) =>
        await AssertRefusedAsync(new { name = "wrong", kind = "UserName", userName, password });

    [PeerTheory]
    [InlineData("Basic256Sha256")]
    [InlineData("Aes128_Sha256_RsaOaep")]
    [InlineData("Aes256_Sha256_RsaPss")]
    public async Task Certificate_KnownUser_Writes(string policy)
    {
        JsonElement attempt = await AttemptAsync(new
        {
            name = "engineer",
            kind = "Certificate",
            policy,
            write = Writable,
            certificateFile = fixture.User.CertificateFile,
            privateKeyFile = fixture.User.PrivateKeyFile,
        });

        AssertOk(attempt);
        Assert.Equal("Good", attempt.GetProperty("write").GetString());
    }

    [PeerFact]
    public async Task Certificate_UnknownUser_IsRefused() => await AssertRefusedAsync(new
    {
        name = "stranger",
        kind = "Certificate",
        certificateFile = fixture.Stranger.CertificateFile,
        privateKeyFile = fixture.Stranger.PrivateKeyFile,
    });

    [PeerFact]
    public async Task Certificate_KnownUserWithAnothersKey_IsRefused() => await AssertRefusedAsync(new
    {
        name = "thief",
        kind = "Certificate",
        certificateFile = fixture.User.CertificateFile,
        privateKeyFile = fixture.Stranger.PrivateKeyFile,
    });

    private async Task AssertRefusedAsync(object identity)
    {
        JsonElement attempt = await AttemptAsync(identity);

        Assert.False(attempt.GetProperty("ok").GetBoolean(), attempt.ToString());
        Assert.Contains(attempt.GetProperty("error").GetProperty("status").GetString(),
            new[]
            {
                "BadUserAccessDenied", "BadIdentityTokenRejected", "BadIdentityTokenInvalid", "BadUserSignatureInvalid",
            });
    }

    private async Task<JsonElement> AttemptAsync(object identity) =>
        (await fixture.RunAsync("users.js", new { cases = new[] { identity } })).GetProperty("attempts")[0];

    private void AssertOk(JsonElement attempt)
    {
        Assert.True(attempt.GetProperty("ok").GetBoolean(), attempt + "\n" + fixture.Gateway.Output);
        Assert.Equal("Good", attempt.GetProperty("read").GetString());
    }
}
