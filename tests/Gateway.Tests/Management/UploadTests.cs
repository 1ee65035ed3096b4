using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Management;

/// <summary>Certificates and revocation lists that come and go by HTTP, and the gateway's own certificate.</summary>
[Collection(RestFixture.Name)]
public sealed class UploadTests(RestFixture fixture) : IDisposable
{
    private readonly HttpClient _admin = fixture.Gateway.SecurityAdmin;
    private readonly RSA _key = RSA.Create(2048);

    private static DateTimeOffset Now => TimeProvider.System.GetUtcNow();

    public void Dispose() => _key.Dispose();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Certificate_UploadedDownloadedDeleted(bool isPem)
    {
        using var certificate = Authority($"CN=<b>upload {isPem}</b>");
        var text = isPem ? certificate.ExportCertificatePem() : Convert.ToBase64String(certificate.RawData);

        var (status, entry) = await SendAsync(HttpMethod.Post, "certificates", "certificate", text);

        Assert.Equal(201, status);
        Assert.Equal("trusted", entry.GetProperty("store").GetString());
        Assert.Equal(certificate.Thumbprint, entry.GetProperty("thumbprint").GetString());
        var path = $"/api/v1/certificates/{certificate.Thumbprint}";
        Assert.Equal(certificate.RawData, await _admin.GetByteArrayAsync(path + "/file?format=der"));
        using var file = await _admin.GetAsync(path + "/file");
        using var again = X509Certificate2.CreateFromPem(await file.Content.ReadAsStringAsync());
        Assert.Equal(certificate.Thumbprint, again.Thumbprint);
        Assert.Equal($"{certificate.Thumbprint}.pem", file.Content.Headers.ContentDisposition!.FileName!.Trim('"'));
        using var deleted = await _admin.DeleteAsync(path);
        Assert.Equal(204, (int)deleted.StatusCode);
    }

    [Fact]
    public async Task Certificate_WithKeyOrSeveralOrNone_400AndNothingIsKept()
    {
        using var one = Authority("CN=one");
        using var other = Authority("CN=other");
        var before = await CountAsync();

        foreach (var text in new[]
        {
            one.ExportCertificatePem() + "\n" + _key.ExportPkcs8PrivateKeyPem(),
            one.ExportCertificatePem() + "\n" + other.ExportCertificatePem(),
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", "AAAA", "no Base64!",
        })
        {
            var (status, _) = await SendAsync(HttpMethod.Post, "certificates", "certificate", text);
            Assert.Equal(400, status);
        }

        Assert.Equal(before, await CountAsync());
    }

    [Fact]
    public async Task Issuer_OfACertificate_IsTrustedByOneRequest()
    {
        using var authority = Authority("CN=issuer");
        using var issued = Issue(authority, "CN=issued", PublicKeyOf(_key));
        await SendAsync(HttpMethod.Post, "certificates", "certificate", authority.ExportCertificatePem(), "issuer");
        await SendAsync(HttpMethod.Post, "certificates", "certificate", issued.ExportCertificatePem());

        using var answer = await _admin.PostAsync($"/api/v1/certificates/{issued.Thumbprint}/trust-issuer", null);
        var entry = await RestGateway.JsonOf(answer);
        using var none = await _admin.PostAsync($"/api/v1/certificates/{authority.Thumbprint}/trust-issuer", null);

        Assert.Equal(200, (int)answer.StatusCode);
        Assert.Equal(authority.Thumbprint, entry.GetProperty("thumbprint").GetString());
        Assert.Equal("trusted", entry.GetProperty("store").GetString());
        Assert.Equal(409, (int)none.StatusCode);
        // Other tests share the gateway.
        foreach (var one in new[] { authority, issued })
            (await _admin.DeleteAsync($"/api/v1/certificates/{one.Thumbprint}")).Dispose();
    }

    [Fact]
    public async Task RevocationList_UploadedListedDeleted()
    {
        using var authority = Authority("CN=revoker");
        var builder = new CertificateRevocationListBuilder();
        builder.AddEntry([1, 2, 3]);
        var list = builder.Build(
            authority, 1, Now.AddDays(10), HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);

        var (status, entry) = await SendAsync(
            HttpMethod.Post, "revocation-lists", "list", Convert.ToBase64String(list), "issuer");
        var (_, listed) = await RestGateway.GetAsync(_admin, "/api/v1/revocation-lists");

        Assert.Equal(201, status);
        Assert.Equal("CN=revoker", entry.GetProperty("issuer").GetString());
        Assert.Equal(1, entry.GetProperty("revoked").GetInt32());
        var id = entry.GetProperty("id").GetString();
        Assert.Contains(
            listed.GetProperty("lists").EnumerateArray(), one => one.GetProperty("id").GetString() == id);
        using var deleted = await _admin.DeleteAsync($"/api/v1/revocation-lists/{id}");
        using var again = await _admin.DeleteAsync($"/api/v1/revocation-lists/{id}");
        Assert.Equal((204, 404), ((int)deleted.StatusCode, (int)again.StatusCode));
    }

    /// <summary>A gateway of its own, because its files change.</summary>
    [Fact]
    public async Task OwnCertificate_RequestSignedAndTaken_LiesThereForTheNextStart()
    {
        await using var gateway = await RestGateway.StartAsync();
        using var answer = await gateway.SecurityAdmin.PostAsync("/api/v1/own-certificate/request", null);
        var pem = (await RestGateway.JsonOf(answer)).GetProperty("request").GetString()!;
        var request = CertificateRequest.LoadSigningRequestPem(
            pem, HashAlgorithmName.SHA256, CertificateRequestLoadOptions.UnsafeLoadCertificateExtensions,
            RSASignaturePadding.Pkcs1);
        using var authority = Authority("CN=plant");
        using var signed = request.Create(authority, Now.AddDays(-1),
            Now.AddDays(30), [1, 2, 3, 4]);
        using var foreign = Issue(authority, "CN=foreign", PublicKeyOf(_key));

        var (refused, _) = await RestGateway.SendAsync(
            gateway.SecurityAdmin, HttpMethod.Put, "/api/v1/own-certificate", BodyOf(
                "certificate", foreign.ExportCertificatePem(), null));
        var (status, taken) = await RestGateway.SendAsync(
            gateway.SecurityAdmin, HttpMethod.Put, "/api/v1/own-certificate", BodyOf(
                "certificate", signed.ExportCertificatePem() + "\n" + authority.ExportCertificatePem(), null));

        Assert.Equal((400, 200), (refused, status));
        Assert.Equal(signed.Thumbprint, taken.GetProperty("thumbprint").GetString());
        var (_, own) = await RestGateway.GetAsync(gateway.SecurityAdmin, "/api/v1/certificates?store=own");
        Assert.Contains(
            own.GetProperty("certificates").EnumerateArray(),
            one => one.GetProperty("thumbprint").GetString() == signed.Thumbprint);
    }

    [Fact]
    public async Task OwnCertificate_MadeAnew_TheOldOneIsOutOfTheWay()
    {
        await using var gateway = await RestGateway.StartAsync();

        using var answer = await gateway.SecurityAdmin.PostAsync("/api/v1/own-certificate/new", null);
        var made = await RestGateway.JsonOf(answer);
        var (_, own) = await RestGateway.GetAsync(gateway.SecurityAdmin, "/api/v1/certificates?store=own");

        Assert.Equal(200, (int)answer.StatusCode);
        Assert.True(made.GetProperty("inForce").GetBoolean());
        Assert.Equal(
            made.GetProperty("thumbprint").GetString(),
            Assert.Single(own.GetProperty("certificates").EnumerateArray()).GetProperty("thumbprint").GetString());
    }

    private async Task<int> CountAsync()
    {
        var (_, answer) = await RestGateway.GetAsync(_admin, "/api/v1/certificates?limit=1000&fields=thumbprint");
        return answer.GetProperty("certificates").GetArrayLength();
    }

    private Task<(int Status, JsonElement Json)> SendAsync(
        HttpMethod method, string path, string member, string text, string store = "trusted") =>
        RestGateway.SendAsync(_admin, method, "/api/v1/" + path, BodyOf(member, text, store));

    private static string BodyOf(string member, string text, string? store) => JsonSerializer.Serialize(
        store is null
            ? new Dictionary<string, string> { [member] = text }
            : new Dictionary<string, string> { ["store"] = store, [member] = text });

    private X509Certificate2 Authority(string name)
    {
        var request = new CertificateRequest(name, _key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(
            X509KeyUsageFlags.KeyCertSign | X509KeyUsageFlags.CrlSign, true));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, false));
        return request.CreateSelfSigned(Now.AddDays(-2), Now.AddDays(300));
    }

    private static X509Certificate2 Issue(X509Certificate2 authority, string name, PublicKey key) =>
        new CertificateRequest(
            new X500DistinguishedName(name), key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1)
            .Create(authority, Now.AddDays(-1), Now.AddDays(30), [9, 8, 7]);

    private static PublicKey PublicKeyOf(RSA key) => new(key);
}
