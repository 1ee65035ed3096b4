using System.Text.Json;
using Gateway.Interop.Scripts;
using Gateway.Testing;
using Microsoft.Playwright;

namespace Gateway.Interop.OperatorConsole;

/// <summary>Each page as a user with all roles sees it: nothing that axe-core finds, in both themes and at every width.
/// </summary>
public sealed class ConsolePageTests(ConsoleFixture fixture) : IClassFixture<ConsoleFixture>
{
    private const int Width = 1280;
    private const int Height = 900;

    /// <summary>1280 pixels at a zoom of 200 %, and a phone.</summary>
    private static readonly int[] NarrowWidths = [640, 400];

    private static readonly ColorScheme[] Schemes = [ColorScheme.Light, ColorScheme.Dark];

    /// <summary>axe's rules that look at colours.</summary>
    private static readonly string[] Colours = ["color-contrast", "link-in-text-block"];

    private static readonly string AxeFile =
        Path.Combine(ConsoleSource.Path, "node_modules", "axe-core", "axe.min.js");

    /// <summary>Path, heading, and a text that stands there once the page has its data.</summary>
    public static TheoryData<string, string, string> Pages => new()
    {
        { "/", "Overview", "in the last hour" },
        { "/clients", "Clients", "No client has a session." },
        { "/clients#connections", "Clients", "Busy" },
        { "/clients#subscriptions", "Clients", "Nobody has subscribed" },
        { "/alarms", "Alarms", "Of interest now" },
        { "/admission", "Admission", "Create session" },
        { "/certificates", "Certificates", "Keep rejected" },
        { "/certificates#trusted", "Certificates", "Upload a certificate" },
        { "/certificates#own", "Certificates", "Fingerprint" },
        { "/certificates#revocation", "Certificates", "Upload a revocation list" },
        { "/configuration", "Configuration", "command line" },
        { "/configuration#limits", "Configuration", "MaxSessions" },
        { "/configuration#gateway", "Configuration", "urn:gateway:simulator" },
        { "/configuration#change", "Configuration", "Check it" },
        { "/nodes?node=ns%3D2%3Bs%3DInt32", "Address space", "Write …" },
        { "/nodes?node=ns%3D2%3Bs%3DAdd", "Address space", "Call …" },
        { "/upstreams", "Upstreams and PubSub", "No upstream is configured." },
        { "/upstreams#pubsub", "Upstreams and PubSub", "No broker or address is configured." },
        { "/upstreams#test", "Upstreams and PubSub", "Test it" },
        { "/upstreams#broker", "Upstreams and PubSub", "Test the broker" },
        { "/trace?node=ns%3D2%3Bi%3D1000", "Why is there no data?", "The way of its value" },
        { "/nowhere", "No such page", "Go to the overview" },
    };

    [PeerTheory(PeerProgram.ConsoleInChromium)]
    [MemberData(nameof(Pages))]
    public async Task Page_InBothThemesAndNarrow_NothingThatAxeFinds(string path, string heading, string text)
    {
        IPage page = await fixture.OpenAsync(path, bypassCsp: true);
        List<string> errors = [];
        page.PageError += (_, error) => errors.Add(error);
        // A plant has no internet.
        page.Request += (_, request) =>
        {
            if (!request.Url.StartsWith(fixture.Origin, StringComparison.Ordinal))
                errors.Add(request.Url);
        };
        await ConsoleFixture.LogInAsync(page, "admin");
        await page.GetByRole(AriaRole.Heading, new() { Name = heading, Level = 1 }).WaitForAsync();
        await page.GetByRole(AriaRole.Main).GetByText(text).First.WaitForAsync();

        foreach (ColorScheme scheme in Schemes)
        {
            await page.EmulateMediaAsync(new() { ColorScheme = scheme });
            await page.SetViewportSizeAsync(Width, Height);
            await AssertAccessibleAsync(page, $"{path} {scheme}", scheme);
            foreach (int width in NarrowWidths)
            {
                await page.SetViewportSizeAsync(width, Height);
                await AssertFitsAsync(page, $"{path} {width}");
            }

            await AssertAccessibleAsync(page, $"{path} {scheme} narrow", scheme);
        }

        Assert.Empty(errors);
        await page.Context.CloseAsync();
    }

    /// <summary>What asks or tells more in front of a page: path, its button, and a text of it.</summary>
    public static TheoryData<string, string, string> Dialogs => new()
    {
        { "/certificates", "Trust …", "Compare the fingerprint" },
        { "/certificates", "Keep rejected …", "Connections that use it end" },
        { "/certificates", "Details", "Download" },
        { "/certificates#own", "Make a new self-signed one …", "makes a new key" },
        { "/configuration#limits", "MaxSessions", "When to change it" },
        { "/configuration#change", "Reload now …", "takes over what has changed" },
        { "/nodes?node=ns%3D2%3Bs%3DInt32", "Show: All attributes", "UserAccessLevel" },
        { "/nodes?node=ns%3D2%3Bs%3DInt32", "Show: References", "HasTypeDefinition" },
    };

    [PeerTheory(PeerProgram.ConsoleInChromium)]
    [MemberData(nameof(Dialogs))]
    public async Task Dialog_InBothThemesAndNarrow_NothingThatAxeFinds(string path, string button, string text)
    {
        IPage page = await fixture.OpenAsync(path, width: 400, bypassCsp: true);
        await ConsoleFixture.LogInAsync(page, "admin");
        ILocator opener = page.GetByRole(AriaRole.Button, new() { Name = button, Exact = true }).First;
        await opener.FocusAsync();
        await page.Keyboard.PressAsync("Enter");
        await page.GetByText(text).First.WaitForAsync();

        foreach (ColorScheme scheme in Schemes)
        {
            await page.EmulateMediaAsync(new() { ColorScheme = scheme });
            await AssertAccessibleAsync(page, $"{path} {button} {scheme}", scheme);
            await AssertFitsAsync(page, $"{path} {button}");
        }

        await page.Context.CloseAsync();
    }

    /// <summary>Numbers as the browser's language writes them.</summary>
    [PeerTheory(PeerProgram.ConsoleInChromium)]
    [InlineData("en-GB", "12,000")]
    [InlineData("de-DE", "12.000")]
    public async Task Numbers_InTheBrowsersLanguage(string locale, string number)
    {
        IPage page = await fixture.OpenAsync("/configuration#limits", locale: locale);
        await ConsoleFixture.LogInAsync(page, "admin");
        ILocator row = page.GetByRole(AriaRole.Row).Filter(
            new() { Has = page.GetByRole(AriaRole.Button, new() { Name = "MaxSessions", Exact = true }) });

        Assert.Contains(number, await row.InnerTextAsync(), StringComparison.Ordinal);
        await page.Context.CloseAsync();
    }

    [PeerTheory(PeerProgram.ConsoleInChromium)]
    [InlineData(ColorScheme.Light)]
    [InlineData(ColorScheme.Dark)]
    public async Task Login_InBothThemes_NothingThatAxeFinds(ColorScheme scheme)
    {
        IPage page = await fixture.OpenAsync("/", scheme, width: 400, bypassCsp: true);
        await page.GetByLabel("Name").WaitForAsync();

        await AssertAccessibleAsync(page, $"login {scheme}");
        await page.GetByText("Log in with a token").ClickAsync();
        await page.GetByLabel("Token").WaitForAsync();
        await AssertAccessibleAsync(page, $"login by token {scheme}");
        await AssertFitsAsync(page, "login");
        await page.Context.CloseAsync();
    }

    /// <summary>The findings by name and place. Nothing is left out in light; in dark only the colours are others.
    /// </summary>
    private static async Task AssertAccessibleAsync(IPage page, string what, ColorScheme scheme = ColorScheme.Light)
    {
        if (!await page.EvaluateAsync<bool>("() => 'axe' in window"))
            await page.EvaluateAsync(await File.ReadAllTextAsync(AxeFile)).WaitAsync(Patience.Limit);
        string found = await page.EvaluateAsync<string>(
            """
            async rules => JSON.stringify((await axe.run(
              rules.length > 0 ? { runOnly: { type: "rule", values: rules } } : {})).violations.map(one =>
              one.id + ": " + one.nodes.map(node => node.html + " " + node.failureSummary).join("; ")))
            """, scheme == ColorScheme.Dark ? Colours : []).WaitAsync(Patience.Limit);

        Assert.True(JsonDocument.Parse(found).RootElement.GetArrayLength() == 0, $"{what}: {found}");
    }

    /// <summary>The page never scrolls sideways; a table does by itself.</summary>
    private static async Task AssertFitsAsync(IPage page, string what)
    {
        int over = await page.EvaluateAsync<int>("() => document.documentElement.scrollWidth - innerWidth");

        Assert.True(over <= 0, $"{what}: {over} pixels too wide");
    }
}
