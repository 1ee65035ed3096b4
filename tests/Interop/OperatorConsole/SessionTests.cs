using System.Net;
using System.Security.Cryptography.X509Certificates;
using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Codec.Types;
using Gateway.Interop.Scripts;
using Gateway.Testing;
using Gateway.Transport.Certificates;
using Microsoft.Playwright;

namespace Gateway.Interop.OperatorConsole;

/// <summary>Clients with words of their own in the list, and how an operator ends them.</summary>
[Collection(nameof(PlantCollection))]
public sealed class SessionTests(PlantFixture fixture) : IAsyncLifetime, IDisposable
{
    private const string Name = "<script>window.hit=1</script>";
    private const string Application = "<img src=x onerror=window.hit=1>";

    private readonly List<IDisposable> mine = [];

    public Task InitializeAsync() => Task.CompletedTask;

    public Task DisposeAsync() => Task.CompletedTask;

    public void Dispose() => mine.ForEach(one => one.Dispose());

    [PeerTheory(PeerProgram.ConsoleOnPlant)]
    [InlineData("Engineer")]
    [InlineData("SecurityAdmin")]
    public async Task Session_EndedByOneWhoMay_IsGoneAndItsClientHearsIt(string user)
    {
        await using ClientSession session = await ConnectAsync();
        IPage page = await fixture.OpenAsync(user, "/clients");
        await page.GetByRole(AriaRole.Button, new() { Name = Name }).ClickAsync();
        ILocator dialog = page.GetByRole(AriaRole.Dialog);
        await dialog.GetByText("Its limits").WaitForAsync();
        await dialog.GetByRole(AriaRole.Button, new() { Name = "End the session …" }).ClickAsync();
        string asked = await dialog.InnerTextAsync();

        await dialog.GetByRole(AriaRole.Button, new() { Name = "End the session", Exact = true }).ClickAsync();

        await page.GetByText("has ended.").WaitForAsync();
        await page.GetByRole(AriaRole.Button, new() { Name = Name })
            .WaitForAsync(new() { State = WaitForSelectorState.Detached });
        StatusCode closed = await session.Closed.WaitAsync(Patience.Limit);
        Assert.True(closed.IsBad);
        Assert.Contains(Name, asked, StringComparison.Ordinal);
        Assert.False(await page.EvaluateAsync<bool>("() => 'hit' in window"));
        await page.Context.CloseAsync();
    }

    [PeerTheory(PeerProgram.ConsoleOnPlant)]
    [InlineData("Observer")]
    [InlineData("Operator")]
    public async Task Session_LookedAtByOneWhoMayNot_HasNoButtonAndTheApiRefuses(string user)
    {
        await using ClientSession session = await ConnectAsync();
        IPage page = await fixture.OpenAsync(user, "/clients");
        await page.GetByRole(AriaRole.Button, new() { Name = Name }).ClickAsync();
        ILocator dialog = page.GetByRole(AriaRole.Dialog);
        await dialog.GetByText("Its limits").WaitForAsync();
        string shown = await dialog.InnerTextAsync();
        int buttons = await dialog.GetByRole(AriaRole.Button, new() { NameRegex = new("End") }).CountAsync();
        string id = (await fixture.GetAsync("/sessions?limit=1000")).GetProperty("sessions").EnumerateArray()
            .First(static one => one.GetProperty("name").GetString() == Name).GetProperty("id").GetString()!;

        using HttpClient http = fixture.Api(user);
        using HttpResponseMessage answer =
            await http.DeleteAsync(new Uri($"/api/v1/sessions/{id}", UriKind.Relative));

        Assert.Equal(HttpStatusCode.Forbidden, answer.StatusCode);
        Assert.False(session.Closed.IsCompleted);
        Assert.Equal(0, buttons);
        Assert.Contains(Application, shown, StringComparison.Ordinal);
        await page.Context.CloseAsync();
    }

    private async Task<ClientSession> ConnectAsync()
    {
        TestCertificate files = fixture.Client;
        ApplicationCertificate certificate =
            new(X509Certificate2.CreateFromPemFile(files.CertificateFile, files.PrivateKeyFile));
        UaClient client = new(new ClientOptions
        {
            ApplicationName = Application,
            Certificate = certificate,
            CertificateValidator = new TrustingValidator(),
            ConnectTimeout = Patience.Limit,
            RequestTimeout = Patience.Limit,
        });
        mine.AddRange([client, certificate]);
        return await client.ConnectAsync(new ConnectSettings
        {
            EndpointUrl = fixture.Gateway.EndpointUrl,
            SessionName = Name,
            Identity = ClientIdentity.UserName("Observer", "horse"),
        });
    }
}
