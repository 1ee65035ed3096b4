using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>Unknown, trusted and wrong application certificates, against the safe defaults.</summary>
public sealed class TrustTests(SafeGatewayFixture fixture) : IClassFixture<SafeGatewayFixture>
{
    [PeerFact]
    public async Task Connect_UnknownCertificate_IsRejectedThenAcceptedOnceItsFileIsMoved()
    {
        TestCertificate unknown = TestCertificate.ForApplication(fixture.Folder.Path, "urn:interop:unknown");

        JsonElement first = await AttemptAsync(unknown, "urn:interop:unknown");
        Assert.False(first.GetProperty("ok").GetBoolean(), first.ToString());
        Assert.DoesNotContain("trust", first.GetProperty("error").GetProperty("text").GetString()!.Split('\n')[0]);

        string rejected = Path.Combine(fixture.Gateway.Pki, "rejected", "certs");
        string file = Assert.Single(Directory.GetFiles(rejected),
            path => File.ReadAllBytes(path).AsSpan().SequenceEqual(unknown.Der));
        Assert.Contains(unknown.Thumbprint, fixture.Gateway.Output, StringComparison.OrdinalIgnoreCase);
        File.Move(file, Path.Combine(fixture.Gateway.Pki, "trusted", "certs", Path.GetFileName(file)));

        JsonElement second = await AttemptAsync(unknown, "urn:interop:unknown");
        Assert.True(second.GetProperty("ok").GetBoolean(), second + "\n" + fixture.Gateway.Output);
    }

    [PeerFact]
    public async Task Connect_TrustedButExpiredCertificate_IsRejected()
    {
        TestCertificate expired =
            TestCertificate.ForApplication(fixture.Folder.Path, "urn:interop:expired", expired: true);
        Trust(expired);

        JsonElement attempt = await AttemptAsync(expired, "urn:interop:expired");

        Assert.False(attempt.GetProperty("ok").GetBoolean(), attempt.ToString());
    }

    /// <summary>R31, Part 12 §7.8.2.5: a trust list that changed is held against open channels too.</summary>
    [PeerFact]
    public async Task Watch_CertificateTakenOutOfTrusted_OnlyItsChannelEnds()
    {
        TestCertificate revoked = TestCertificate.ForApplication(fixture.Folder.Path, "urn:interop:revoked");
        TestCertificate kept = TestCertificate.ForApplication(fixture.Folder.Path, "urn:interop:kept");
        Trust(revoked);
        Trust(kept);
        await using PeerProcess other = Watch(kept, "urn:interop:kept");
        await using PeerProcess watch = Watch(revoked, "urn:interop:revoked");
        await other.WaitForAsync("flowing");
        await watch.WaitForAsync("flowing");

        File.Delete(TrustedFile(revoked));
        await watch.WaitForAsync("lost");
        await other.SendLineAsync("stop");
        WatchResult untouched = WatchResult.From(await other.ResultAsync());

        Assert.True(untouched.Losses == 0, untouched.Text);
    }

    [PeerFact]
    public async Task Connect_WithoutSecurity_IsNotOffered()
    {
        JsonElement result = await PeerProcess.RunAsync("policies.js", PeerArguments.Create(
            fixture.Folder, fixture.Client, fixture.Gateway.EndpointUrl,
            new { cases = new[] { new { policy = "None", mode = "None" } } }));

        Assert.False(result.GetProperty("attempts")[0].GetProperty("ok").GetBoolean(), result.ToString());
        Assert.Equal(6, result.GetProperty("endpoints").GetArrayLength());
        Assert.DoesNotContain(result.GetProperty("endpoints").EnumerateArray(),
            endpoint => endpoint.GetProperty("policy").GetString() == "None");
    }

    private void Trust(TestCertificate certificate) =>
        File.WriteAllBytes(TrustedFile(certificate), certificate.Der);

    private string TrustedFile(TestCertificate certificate) =>
        Path.Combine(fixture.Gateway.Pki, "trusted", "certs", certificate.Thumbprint + ".der");

    private PeerProcess Watch(TestCertificate certificate, string applicationUri) =>
        PeerProcess.Start("watch.js", PeerArguments.Create(fixture.Folder, certificate, fixture.Gateway.EndpointUrl, new
        {
            applicationUri,
            policy = "Basic256Sha256",
            mode = "SignAndEncrypt",
            items = 10,
        }));

    private async Task<JsonElement> AttemptAsync(TestCertificate certificate, string applicationUri)
    {
        JsonElement result = await PeerProcess.RunAsync("policies.js", PeerArguments.Create(fixture.Folder, certificate,
            fixture.Gateway.EndpointUrl,
            new { applicationUri, cases = new[] { new { policy = "Basic256Sha256", mode = "SignAndEncrypt" } } }));
        return result.GetProperty("attempts")[0];
    }
}
