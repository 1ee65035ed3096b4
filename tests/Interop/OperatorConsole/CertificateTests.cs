using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Gateway.Interop.Scripts;
using Microsoft.Playwright;

namespace Gateway.Interop.OperatorConsole;

/// <summary>Certificates and revocation lists that come, go and are looked at on one page, and the gateway's own.
/// </summary>
public sealed class CertificateTests(ConsoleFixture fixture) : IClassFixture<ConsoleFixture>
{
    private const string AuthorityName = "<b>authority</b>";

    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Certificate_UploadedDownloadedDeleted_IsTrustedMeanwhile()
    {
        TestCertificate pump = TestCertificate.ForApplication(fixture.Folder.Path, "urn:plant:pump");
        IPage page = await OpenAsync("trusted");
        await page.GetByLabel("File (DER or PEM)").SetInputFilesAsync(pump.CertificateFile);
        await page.GetByRole(AriaRole.Button, new() { Name = "Upload" }).ClickAsync();
        ILocator entry = page.GetByRole(AriaRole.Button, new() { Name = "urn-plant-pump" });
        await entry.ClickAsync();
        ILocator dialog = page.GetByRole(AriaRole.Dialog);

        IDownload download = await page.RunAndWaitForDownloadAsync(
            () => dialog.GetByRole(AriaRole.Button, new() { Name = "Download" }).ClickAsync());
        byte[] saved = await File.ReadAllBytesAsync(await download.PathAsync());
        string trusted = Path.Combine(fixture.Folder.Path, "gateway", "pki", "trusted", "certs");
        int files = Directory.GetFiles(trusted).Length;
        await dialog.GetByRole(AriaRole.Button, new() { Name = "Delete …" }).ClickAsync();
        await page.GetByRole(AriaRole.Button, new() { Name = "Delete it" }).ClickAsync();

        await page.GetByText("The certificate of urn-plant-pump is deleted.").WaitForAsync();
        await entry.WaitForAsync(new() { State = WaitForSelectorState.Detached });
        Assert.Equal(pump.Der, saved);
        Assert.Equal(files - 1, Directory.GetFiles(trusted).Length);
        await fixture.Gateway.WaitForLogAsync($"deleted {pump.Thumbprint}");
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task RevocationList_UploadedAndDeleted_IsListedMeanwhile()
    {
        using TestAuthority authority = new(AuthorityName);
        IPage page = await OpenAsync("issuers");
        await UploadAsync(page, "authority.der", authority.Certificate.RawData);
        await page.GetByRole(AriaRole.Button, new() { Name = AuthorityName }).WaitForAsync();
        await page.GetByRole(AriaRole.Tab, new() { Name = "Revocation lists" }).ClickAsync();
        await page.GetByLabel("To").SelectOptionAsync("issuer");
        await UploadAsync(page, "authority.crl", authority.RevocationList());

        ILocator row = page.GetByRole(AriaRole.Row).Filter(new() { HasText = AuthorityName });
        await row.GetByRole(AriaRole.Button, new() { Name = "Delete …" }).ClickAsync();
        ILocator dialog = page.GetByRole(AriaRole.Dialog);
        string asked = await dialog.InnerTextAsync();
        await dialog.GetByRole(AriaRole.Button, new() { Name = "Delete it" }).ClickAsync();

        await page.GetByText("The revocation list is deleted.").WaitForAsync();
        await page.GetByText("There is no revocation list.").WaitForAsync();
        Assert.Contains(AuthorityName, asked, StringComparison.Ordinal);
        Assert.Equal(0, await page.Locator("b").CountAsync());
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Upload_OfSomethingElse_SaysWhatIsExpected()
    {
        IPage page = await OpenAsync("trusted");

        await UploadAsync(page, "notes.pem", Encoding.UTF8.GetBytes("<b>no certificate</b>"));

        await page.GetByRole(AriaRole.Alert).GetByText("certificate").First.WaitForAsync();
        Assert.Equal(0, await page.GetByText("was added to").CountAsync());
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task OwnCertificate_RequestSignedUploadedAndMadeAnew_IsShownEachTime()
    {
        IPage page = await OpenAsync("own");
        ILocator own = page.GetByRole(AriaRole.Region, new() { Name = "The gateway's own certificate" });
        await own.GetByText("Fingerprint").WaitForAsync();
        string before = await own.InnerTextAsync();

        IDownload download = await page.RunAndWaitForDownloadAsync(
            () => page.GetByRole(AriaRole.Button, new() { Name = "Make a signing request" }).ClickAsync());
        using TestAuthority authority = new(AuthorityName);
        using X509Certificate2 signed = authority.Sign(await File.ReadAllTextAsync(await download.PathAsync()));
        await page.GetByLabel("What the authority has issued").SetInputFilesAsync(new FilePayload
        {
            Name = "signed.pem",
            MimeType = "application/x-pem-file",
            Buffer = Encoding.ASCII.GetBytes(authority.ChainOf(signed)),
        });
        await page.GetByRole(AriaRole.Button, new() { Name = "Upload" }).ClickAsync();
        await own.Filter(new() { HasText = Pairs(signed.Thumbprint) }).WaitForAsync();

        await page.GetByRole(AriaRole.Button, new() { Name = "Make a new self-signed one …" }).ClickAsync();
        await page.GetByRole(AriaRole.Dialog).GetByRole(AriaRole.Button, new() { Name = "Make it" }).ClickAsync();

        await own.Filter(new() { HasText = "itself (self-signed)" }).WaitForAsync();
        string after = await own.InnerTextAsync();
        Assert.DoesNotContain(Pairs(signed.Thumbprint), after, StringComparison.Ordinal);
        Assert.NotEqual(before, after);
        await page.Context.CloseAsync();
    }

    /// <summary>One click for all clients of an authority that the gateway knows and does not trust yet.</summary>
    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task RejectedCertificate_ItsIssuerTrusted_IsShownAmongTheTrusted()
    {
        using TestAuthority authority = new("Line authority");
        using RSA key = RSA.Create(2048);
        CertificateRequest request = new("CN=Line client", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        using X509Certificate2 client = authority.Sign(request.CreateSigningRequestPem());
        await PutAsync("issuer", "line.der", authority.Certificate);
        await PutAsync("rejected", $"{client.Thumbprint}.der", client);
        IPage page = await OpenAsync("rejected");
        ILocator entry = page.GetByRole(AriaRole.Listitem).Filter(new() { HasText = "Line client" });

        await entry.GetByRole(AriaRole.Button, new() { Name = "Trust its issuer …" }).ClickAsync();
        ILocator dialog = page.GetByRole(AriaRole.Dialog);
        await dialog.GetByText("Every certificate that this authority has issued").WaitForAsync();
        await dialog.GetByRole(AriaRole.Button, new() { Name = "Trust the issuer" }).ClickAsync();

        await page.GetByText("The issuer of Line client is trusted now.").WaitForAsync();
        await page.GetByRole(AriaRole.Tab, new() { NameRegex = new("^Trusted") }).ClickAsync();
        await page.GetByRole(AriaRole.Button, new() { Name = "Line authority" }).WaitForAsync();
        await fixture.Gateway.WaitForLogAsync($"trusted {authority.Certificate.Thumbprint}");
        await page.Context.CloseAsync();
    }

    private Task PutAsync(string store, string file, X509Certificate2 certificate) => File.WriteAllBytesAsync(
        Path.Combine(fixture.Folder.Sub("gateway", "pki", store, "certs"), file), certificate.RawData);

    /// <summary>Acts that only a SecurityAdmin may do: others are not offered the page, and the API refuses a script.
    /// </summary>
    [PeerTheory(PeerProgram.ConsoleInChromium)]
    [InlineData("Observer")]
    [InlineData("Operator")]
    [InlineData("Engineer")]
    public async Task Actions_OfAnotherRole_AreNeitherOfferedNorDone(string user)
    {
        IPage page = await fixture.OpenAsync("/certificates");
        await ConsoleFixture.LogInAsync(page, user);
        await page.GetByText("Your roles do not allow you to see this page.").WaitForAsync();
        int buttons = await page.GetByRole(AriaRole.Main).GetByRole(AriaRole.Button).CountAsync();
        using HttpClient http = fixture.Api(user);
        string one = $"certificates/{fixture.Press.Thumbprint}";

        foreach ((HttpMethod method, string path) in new[]
        {
            (HttpMethod.Get, "certificates"), (HttpMethod.Get, one), (HttpMethod.Get, one + "/file"),
            (HttpMethod.Post, one + "/trust"), (HttpMethod.Post, one + "/trust-issuer"),
            (HttpMethod.Post, one + "/reject"), (HttpMethod.Delete, one), (HttpMethod.Post, "certificates"),
            (HttpMethod.Get, "revocation-lists"), (HttpMethod.Post, "revocation-lists"),
            (HttpMethod.Delete, "revocation-lists/one"), (HttpMethod.Post, "own-certificate/new"),
            (HttpMethod.Post, "own-certificate/request"), (HttpMethod.Put, "own-certificate"),
        })
        {
            using HttpRequestMessage request = new(method, new Uri("/api/v1/" + path, UriKind.Relative));
            if (method == HttpMethod.Put || method == HttpMethod.Post)
                request.Content = new StringContent("{}", Encoding.UTF8, "application/json");
            using HttpResponseMessage answer = await http.SendAsync(request);
            Assert.True(answer.StatusCode == HttpStatusCode.Forbidden, $"{method} {path}: {answer.StatusCode}");
        }

        Assert.Equal(0, buttons);
        await page.Context.CloseAsync();
    }

    private async Task<IPage> OpenAsync(string tab)
    {
        IPage page = await fixture.OpenAsync("/certificates#" + tab);
        await ConsoleFixture.LogInAsync(page, "SecurityAdmin");
        return page;
    }

    private static async Task UploadAsync(IPage page, string name, byte[] content)
    {
        await page.GetByLabel("File (DER or PEM)").SetInputFilesAsync(
            new FilePayload { Name = name, MimeType = "application/octet-stream", Buffer = content });
        await page.GetByRole(AriaRole.Button, new() { Name = "Upload" }).ClickAsync();
    }

    private static string Pairs(string thumbprint) =>
        string.Join(':', thumbprint.Chunk(2).Select(static pair => new string(pair)));
}
