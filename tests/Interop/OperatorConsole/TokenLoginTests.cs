using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Gateway.Interop.Browsers;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Microsoft.Playwright;

namespace Gateway.Interop.OperatorConsole;

/// <summary>A login by a token of a login service, here the test's own key.</summary>
public sealed class TokenLoginTests : IDisposable
{
    private const string Issuer = "https://login.plant.example";
    private const string Audience = "urn:plant:gateway";

    private readonly TemporaryFolder folder = new();
    private readonly RSA key = RSA.Create(2048);

    public void Dispose()
    {
        key.Dispose();
        folder.Dispose();
    }

    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Token_OfTheLoginService_LogsInWithItsRolesAndIsKeptNowhere()
    {
        PeerRequirement.Demand(PeerProgram.ConsoleInChromium);
        string keys = Path.Combine(folder.Path, "issuer.pem");
        await File.WriteAllTextAsync(keys, key.ExportSubjectPublicKeyInfoPem());
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(
            folder, $"--Jwt:Issuer={Issuer}", $"--Jwt:Audience={Audience}", $"--Jwt:KeysPath={keys}",
            "--Jwt:Roles:operators=Operator");
        await using RunningBrowser browser = await RunningBrowser.StartAsync();
        IPage page = await browser.OpenAsync(new());
        List<string> urls = [];
        page.Request += (_, request) => urls.Add(request.Url);
        string token = TokenOf("operators");
        await page.GotoAsync($"http://localhost:{gateway.HttpPort}/");
        await LogInAsync(page, TokenOf("operators")[..^8] + "AAAAAAAA");
        await page.GetByText("The gateway does not take this login").WaitForAsync();

        await LogInAsync(page, token);

        await page.GetByText("in the last hour").WaitForAsync();
        await page.GetByText("Operator", new() { Exact = true }).First.WaitForAsync();
        string kept = await page.EvaluateAsync<string>(
            "() => JSON.stringify([localStorage, sessionStorage, document.cookie, location.href, window.name])");
        string signature = token[(token.LastIndexOf('.') + 1)..];
        Assert.DoesNotContain(signature, kept, StringComparison.Ordinal);
        Assert.DoesNotContain(urls, url => url.Contains(signature, StringComparison.Ordinal));
    }

    private static async Task LogInAsync(IPage page, string token)
    {
        ILocator field = page.GetByLabel("Token");
        if (await field.CountAsync() == 0)
            await page.GetByText("Log in with a token").ClickAsync();
        await field.FillAsync(token);
        await page.GetByRole(AriaRole.Button, new() { Name = "Log in", Exact = true }).ClickAsync();
    }

    private string TokenOf(string role)
    {
        long now = TimeProvider.System.GetUtcNow().ToUnixTimeSeconds();
        string signed = Part(new { alg = "RS256", typ = "JWT" }) + "." + Part(new
        {
            iss = Issuer,
            aud = Audience,
            sub = "anna",
            roles = new[] { role },
            iat = now,
            nbf = now - 10,
            exp = now + 600,
        });
        byte[] signature = key.SignData(
            Encoding.ASCII.GetBytes(signed), HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        return signed + "." + Convert.ToBase64String(signature).TrimEnd('=').Replace('+', '-').Replace('/', '_');
    }

    private static string Part(object of) => Convert.ToBase64String(JsonSerializer.SerializeToUtf8Bytes(of))
        .TrimEnd('=').Replace('+', '-').Replace('/', '_');
}
