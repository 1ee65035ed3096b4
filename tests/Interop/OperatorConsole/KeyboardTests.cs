using Gateway.Interop.Scripts;
using Microsoft.Playwright;

namespace Gateway.Interop.OperatorConsole;

/// <summary>What a person does in the console without a pointer: every step by a key. A certificate:
/// <see cref="ConsoleSafetyTests"/>; a plot: <see cref="ConsoleActionTests"/>.</summary>
public sealed class KeyboardTests(ConsoleFixture fixture) : IClassFixture<ConsoleFixture>
{
    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Value_WrittenByKeyboardAlone_IsWritten()
    {
        IPage page = await OpenAsync("/nodes?node=ns%3D2%3Bs%3DInt32", "Operator");
        await page.Locator(".current .value").WaitForAsync();
        await ConsoleFixture.ReachAsync(page, page.GetByLabel("New value"));
        await page.Keyboard.TypeAsync("815");
        await page.Keyboard.PressAsync("Enter");
        await page.GetByRole(AriaRole.Dialog).GetByText("The plant may act on it at once.").WaitForAsync();

        await ConsoleFixture.ReachAsync(page, "Write");
        await page.Keyboard.PressAsync("Enter");

        await page.Locator(".current .value").Filter(new() { HasText = "815" }).WaitForAsync();
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Method_CalledByKeyboardAlone_ShowsItsOutputs()
    {
        IPage page = await OpenAsync("/nodes?node=ns%3D2%3Bs%3DAdd", "Operator");
        await page.GetByLabel("B (").WaitForAsync();
        await ConsoleFixture.ReachAsync(page, page.GetByLabel("A ("));
        await page.Keyboard.TypeAsync("20");
        await page.Keyboard.PressAsync("Tab");
        await page.Keyboard.TypeAsync("22");
        await page.Keyboard.PressAsync("Enter");
        await page.GetByRole(AriaRole.Dialog).WaitForAsync();

        await ConsoleFixture.ReachAsync(page, "Call");
        await page.Keyboard.PressAsync("Enter");

        await page.GetByText("Good: 42").WaitForAsync();
        await page.Context.CloseAsync();
    }

    /// <summary>Tabs are walked by arrows, a branch of the tree opens by Enter, and a search is sent by it.</summary>
    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Pages_WalkedByKeyboardAlone_ShowTheirContent()
    {
        IPage page = await OpenAsync("/configuration", "admin");
        await ConsoleFixture.ReachAsync(page, page.GetByRole(AriaRole.Tab, new() { Name = "Values" }));
        await page.Keyboard.PressAsync("ArrowRight");
        await page.Keyboard.PressAsync("ArrowRight");
        await page.GetByText("Limits and their use").First.WaitForAsync();
        await ConsoleFixture.ReachAsync(page, page.GetByRole(AriaRole.Link, new() { Name = "Address space" }));
        await page.Keyboard.PressAsync("Enter");
        await page.GetByRole(AriaRole.Heading, new() { Name = "Address space", Level = 1 }).WaitForAsync();
        ILocator words = page.GetByLabel("Search words of names");
        await ConsoleFixture.ReachAsync(page, words);
        await page.Keyboard.TypeAsync("Int32");
        await page.Keyboard.PressAsync("Enter");
        ILocator found = page.Locator(".found li").Filter(new() { HasText = "Simulator" })
            .GetByRole(AriaRole.Button, new() { Name = "Int32", Exact = true });
        await found.First.WaitForAsync();
        await ConsoleFixture.ReachAsync(page, found.First);
        await page.Keyboard.PressAsync("Enter");

        await page.Locator(".current .value").WaitForAsync();
        await page.Context.CloseAsync();
    }

    private async Task<IPage> OpenAsync(string path, string user)
    {
        IPage page = await fixture.OpenAsync(path);
        await ConsoleFixture.LogInAsync(page, user);
        return page;
    }
}
