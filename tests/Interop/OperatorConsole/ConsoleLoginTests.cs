using Gateway.Interop.Scripts;
using Microsoft.Playwright;

namespace Gateway.Interop.OperatorConsole;

/// <summary>The roles that decide what is shown, how a login ends, and where it is kept: the page's memory.</summary>
public sealed class ConsoleLoginTests(ConsoleFixture fixture) : IClassFixture<ConsoleFixture>
{
    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Login_WrongPassword_SaysSoAndLetsTryAgain()
    {
        IPage page = await fixture.OpenAsync("/");
        await ConsoleFixture.LogInAsync(page, "Observer", "wrong");
        await page.GetByText("The gateway does not take this login").WaitForAsync();

        await ConsoleFixture.LogInAsync(page, "Observer");

        await page.GetByRole(AriaRole.Heading, new() { Name = "Overview" }).WaitForAsync();
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Login_Done_IsKeptNowhereInTheBrowser()
    {
        IPage page = await fixture.OpenAsync("/");
        List<string> urls = [];
        page.Request += (_, request) => urls.Add(request.Url);
        await ConsoleFixture.LogInAsync(page, "Observer");
        await page.GetByText("in the last hour").WaitForAsync();

        string kept = await page.EvaluateAsync<string>(
            "() => JSON.stringify([localStorage, sessionStorage, document.cookie, location.href, window.name])");
        IReadOnlyList<BrowserContextCookiesResult> cookies = await page.Context.CookiesAsync();
        await page.ReloadAsync();

        await page.GetByLabel("Password").WaitForAsync();
        Assert.DoesNotContain("horse", kept, StringComparison.Ordinal);
        Assert.DoesNotContain("Observer", kept, StringComparison.Ordinal);
        Assert.Empty(cookies);
        Assert.DoesNotContain(urls, static url => url.Contains("horse", StringComparison.Ordinal)
            || url.Contains('@', StringComparison.Ordinal));
        await page.Context.CloseAsync();
    }

    [PeerTheory(PeerProgram.ConsoleInChromium)]
    [InlineData("Observer", false, true)]
    [InlineData("Operator", false, false)]
    [InlineData("Engineer", false, false)]
    [InlineData("SecurityAdmin", true, false)]
    public async Task Role_OfAUser_DecidesWhatIsShown(string user, bool hasCertificates, bool isReadOnly)
    {
        IPage page = await fixture.OpenAsync("/certificates");
        await ConsoleFixture.LogInAsync(page, user);
        await page.GetByRole(AriaRole.Link, new() { Name = "Overview" }).WaitForAsync();

        int links = await page.GetByRole(AriaRole.Link, new() { Name = "Certificates" }).CountAsync();
        int remarks = await page.GetByText("You can look, and change nothing.").CountAsync();

        Assert.Equal(hasCertificates ? 1 : 0, links);
        Assert.Equal(isReadOnly ? 1 : 0, remarks);
        await page.GetByText(hasCertificates ? "Keep rejected" : "Your roles do not allow you").First.WaitForAsync();
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Login_NobodyThereForAQuarterOfAnHour_IsForgotten()
    {
        IPage page = await fixture.OpenAsync("/");
        await page.Clock.InstallAsync();
        await page.ReloadAsync();
        await ConsoleFixture.LogInAsync(page, "Observer");
        await page.GetByRole(AriaRole.Heading, new() { Name = "Overview" }).WaitForAsync();

        await page.Clock.FastForwardAsync("16:00");

        await page.GetByText("Nothing was done here for 15 minutes").WaitForAsync();
        await page.GetByLabel("Password").WaitForAsync();
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task LogOut_Chosen_AsksForALoginAgain()
    {
        IPage page = await fixture.OpenAsync("/");
        await ConsoleFixture.LogInAsync(page, "Operator");

        await page.GetByRole(AriaRole.Button, new() { Name = "Log out" }).ClickAsync();

        await page.GetByLabel("Password").WaitForAsync();
        await page.Context.CloseAsync();
    }
}
