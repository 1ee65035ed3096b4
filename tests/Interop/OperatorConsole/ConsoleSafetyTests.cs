using System.Net;
using System.Text.Json;
using Gateway.Interop.Scripts;
using Gateway.Testing;
using Microsoft.Playwright;

namespace Gateway.Interop.OperatorConsole;

/// <summary>Hostile text, hostile pages of other origins, and the keyboard.</summary>
public sealed class ConsoleSafetyTests(ConsoleFixture fixture) : IClassFixture<ConsoleFixture>
{
    private const string Elsewhere = "http://elsewhere.test/";

    /// <summary>A request whose answer the page may not read; the gateway gets it all the same.</summary>
    private const string Forge = """
        async url => {
          const answers = [];
          for (const credentials of ["include", "omit"])
            await fetch(url, { method: "POST", mode: "no-cors", credentials })
              .then(() => answers.push("sent"), () => answers.push("not sent"));
          return answers.join();
        }
        """;

    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Subject_WithMarkup_IsText()
    {
        IPage page = await fixture.OpenAsync("/certificates");
        await ConsoleFixture.LogInAsync(page, "SecurityAdmin");

        await page.GetByText(ConsoleFixture.HostileName).First.WaitForAsync();

        Assert.False(await page.EvaluateAsync<bool>("() => 'hacked' in window"));
        Assert.Equal(0, await page.Locator("img").CountAsync());
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Markup_PutIntoThePageByAScript_IsRefused()
    {
        IPage page = await fixture.OpenAsync("/");
        await page.GetByLabel("Password").WaitForAsync();

        string refused = await page.EvaluateAsync<string>(
            """
            () => {
              try { document.body.innerHTML = "<img src=x onerror='window.hacked = 1'>"; }
              catch (error) { return error.name; }
              return "taken";
            }
            """);

        Assert.Equal("TypeError", refused);
        await page.Context.CloseAsync();
    }

    /// <summary>As if somebody had found a way to write into the document.</summary>
    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Script_InsideTheDocument_DoesNotRun()
    {
        IPage page = await fixture.OpenAsync("/livez");
        await page.RouteAsync(fixture.Origin + "/", async route =>
        {
            IAPIResponse answer = await route.FetchAsync();
            string html = await answer.TextAsync();
            await route.FulfillAsync(new()
            {
                Response = answer,
                Body = html.Replace("<body>", "<body><script>window.hacked = 1</script>", StringComparison.Ordinal),
            });
        });
        await page.GotoAsync(fixture.Origin + "/");
        await page.GetByLabel("Password").WaitForAsync();

        Assert.Contains("window.hacked", await page.ContentAsync(), StringComparison.Ordinal);
        Assert.False(await page.EvaluateAsync<bool>("() => 'hacked' in window"));
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Page_InAFrameOfAnotherSite_IsNotShown()
    {
        IPage page = await fixture.OpenAsync("/livez");
        await page.RouteAsync(Elsewhere, route => route.FulfillAsync(
            new() { ContentType = "text/html", Body = $"<iframe src='{fixture.Origin}/' name='console'></iframe>" }));
        await page.GotoAsync(Elsewhere);
        IFrame frame = page.Frame("console") ?? throw new InvalidOperationException("there is no frame");
        await frame.WaitForLoadStateAsync();

        Assert.Equal(0, await frame.Locator("#app").CountAsync());
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Request_ForgedByAnotherSite_ChangesNothing()
    {
        IPage console = await fixture.OpenAsync("/certificates");
        await ConsoleFixture.LogInAsync(console, "SecurityAdmin");
        await console.GetByText("Keep rejected").First.WaitForAsync();
        // Another origin and another site, although the same program answers.
        IPage page = await fixture.OpenAsync("/", bypassCsp: true);
        await page.GotoAsync($"http://127.0.0.1:{fixture.Gateway.HttpPort}/");

        string path = $"/api/v1/certificates/{fixture.Hostile.Thumbprint}/trust";
        string sent = await page.EvaluateAsync<string>(Forge, fixture.Origin + path).WaitAsync(Patience.Limit);

        Assert.Equal("sent,sent", sent);
        Assert.Equal("rejected", await StoreOfAsync(fixture.Hostile));
        await page.Context.CloseAsync();
        await console.Context.CloseAsync();
    }

    /// <summary>A form may post to another site, and the browser then shows the answer.</summary>
    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Form_PostedByAnotherSiteWhileTheConsoleIsOpen_IsRefused()
    {
        IPage console = await fixture.OpenAsync("/certificates");
        await ConsoleFixture.LogInAsync(console, "SecurityAdmin");
        await console.GetByText("Keep rejected").First.WaitForAsync();
        string target = $"{fixture.Origin}/api/v1/certificates/{fixture.Hostile.Thumbprint}/trust";
        // Of the same browser profile, where a cookie or a remembered login would go along.
        IPage page = await console.Context.NewPageAsync();
        await page.RouteAsync(Elsewhere, route => route.FulfillAsync(new()
        {
            ContentType = "text/html",
            Body = $"<form method=post action='{target}'><button>Win a prize</button></form>",
        }));
        await page.GotoAsync(Elsewhere);

        IResponse answer = await page.RunAndWaitForResponseAsync(
            () => page.GetByRole(AriaRole.Button).ClickAsync(), target);

        Assert.Equal((int)HttpStatusCode.Unauthorized, answer.Status);
        Assert.Equal("rejected", await StoreOfAsync(fixture.Hostile));
        await console.Context.CloseAsync();
    }

    /// <summary>From the login to a trusted certificate without a pointer.</summary>
    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Certificate_TrustedByKeyboardAlone_IsTrusted()
    {
        IPage page = await fixture.OpenAsync("/");
        await page.GetByLabel("Name").WaitForAsync();
        await page.Keyboard.TypeAsync("SecurityAdmin");
        await page.Keyboard.PressAsync("Tab");
        await page.Keyboard.TypeAsync("horse");
        await page.Keyboard.PressAsync("Enter");
        await page.GetByRole(AriaRole.Heading, new() { Name = "Overview" }).WaitForAsync();
        await ConsoleFixture.ReachAsync(page, "Certificates");
        await page.Keyboard.PressAsync("Enter");
        ILocator entry = page.GetByRole(AriaRole.Listitem).Filter(new() { HasText = "urn-plant-press" });
        ILocator trust = entry.GetByRole(AriaRole.Button, new() { Name = "Trust …" });
        await trust.WaitForAsync();
        await trust.FocusAsync();

        await page.Keyboard.PressAsync("Enter");
        ILocator dialog = page.GetByRole(AriaRole.Dialog);
        await dialog.GetByText(Fingerprint(fixture.Press)).WaitForAsync();
        await page.Keyboard.PressAsync("Escape");
        await dialog.WaitForAsync(new() { State = WaitForSelectorState.Detached });
        bool isBack = await trust.EvaluateAsync<bool>("button => button === document.activeElement");
        await page.Keyboard.PressAsync("Enter");
        await ConsoleFixture.ReachAsync(page, "Trust it");
        await page.Keyboard.PressAsync("Enter");

        await page.GetByText("is trusted now").WaitForAsync();
        Assert.True(isBack);
        Assert.Equal("trusted", await StoreOfAsync(fixture.Press));
        await page.Context.CloseAsync();
    }

    private static string Fingerprint(TestCertificate certificate) =>
        string.Join(':', certificate.Thumbprint.Chunk(2).Select(static pair => new string(pair)));

    private async Task<string> StoreOfAsync(TestCertificate certificate)
    {
        using HttpClient http = fixture.Api("admin");
        using HttpResponseMessage answer = await http.GetAsync(
            new Uri($"/api/v1/certificates/{certificate.Thumbprint}?fields=store", UriKind.Relative));
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        string json = await answer.Content.ReadAsStringAsync();
        return JsonDocument.Parse(json).RootElement.GetProperty("store").GetString()!;
    }
}
