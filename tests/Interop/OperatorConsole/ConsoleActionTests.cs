using Gateway.Interop.Scripts;
using Microsoft.Playwright;

namespace Gateway.Interop.OperatorConsole;

/// <summary>Values written, methods called and numbers exported in the console, as the role allows.</summary>
public sealed class ConsoleActionTests(ConsoleFixture fixture) : IClassFixture<ConsoleFixture>
{
    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Value_WrittenByAnOperator_IsConfirmedWithTheOldOneAndShown()
    {
        IPage page = await OpenAsync("/nodes?node=ns%3D2%3Bs%3DInt32", "Operator");
        ILocator value = page.Locator(".current .value");
        await value.WaitForAsync();
        string before = await value.InnerTextAsync();
        await page.GetByLabel("New value").FillAsync("4711");
        await page.GetByRole(AriaRole.Button, new() { Name = "Write …" }).ClickAsync();
        ILocator dialog = page.GetByRole(AriaRole.Dialog);
        string asked = await dialog.InnerTextAsync();

        await dialog.GetByRole(AriaRole.Button, new() { Name = "Write", Exact = true }).ClickAsync();

        await page.GetByText("was written").WaitForAsync();
        await value.Filter(new() { HasText = "4711" }).WaitForAsync();
        Assert.Contains(before, asked, StringComparison.Ordinal);
        Assert.Contains("4711", asked, StringComparison.Ordinal);
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Value_ThatDoesNotFit_IsNotWrittenAndSaysWhatIsExpected()
    {
        IPage page = await OpenAsync("/nodes?node=ns%3D2%3Bs%3DByte", "Operator");
        await page.Locator(".current .value").WaitForAsync();
        await page.GetByLabel("New value").FillAsync("300");
        await page.GetByRole(AriaRole.Button, new() { Name = "Write …" }).ClickAsync();

        await page.GetByRole(AriaRole.Dialog).GetByRole(AriaRole.Button, new() { Name = "Write", Exact = true })
            .ClickAsync();

        await page.GetByText("Not written: BadTypeMismatch").WaitForAsync();
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Method_CalledByAnOperator_ShowsItsOutputs()
    {
        IPage page = await OpenAsync("/nodes?node=ns%3D2%3Bs%3DAdd", "Operator");
        await page.GetByLabel("A (").FillAsync("2");
        await page.GetByLabel("B (").FillAsync("3");
        await page.GetByRole(AriaRole.Button, new() { Name = "Call …" }).ClickAsync();

        await page.GetByRole(AriaRole.Dialog).GetByRole(AriaRole.Button, new() { Name = "Call", Exact = true })
            .ClickAsync();

        await page.GetByText("Good: 5").WaitForAsync();
        await page.Context.CloseAsync();
    }

    [PeerTheory(PeerProgram.ConsoleInChromium)]
    [InlineData("Observer")]
    [InlineData("SecurityAdmin")]
    public async Task Value_OfAUserWhoMayNotWrite_HasNoForm(string user)
    {
        IPage page = await OpenAsync("/nodes?node=ns%3D2%3Bs%3DInt32", user);
        await page.Locator(".current .value").WaitForAsync();

        Assert.Equal(0, await page.GetByRole(AriaRole.Button, new() { Name = "Write …" }).CountAsync());
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Numbers_Plotted_AreExportedAsCsv()
    {
        IPage page = await OpenAsync("/nodes?node=ns%3D2%3Bi%3D1000", "Observer");
        await page.GetByRole(AriaRole.Button, new() { Name = "Plot it" }).ClickAsync();
        ILocator export = page.GetByRole(AriaRole.Button, new() { Name = "Export CSV" });
        await page.GetByRole(AriaRole.Img, new() { NameRegex = new("now Tag0 [0-9]") }).WaitForAsync();

        IDownload download = await page.RunAndWaitForDownloadAsync(() => export.ClickAsync());

        string[] lines = (await File.ReadAllTextAsync(await download.PathAsync())).Split("\r\n");
        Assert.Equal("time,\"nsu=urn:gateway:simulator;i=1000\"", lines[0]);
        Assert.Matches("^20[0-9-]+T[0-9:.]+Z,[0-9]+$", lines[1]);
        await page.Context.CloseAsync();
    }

    /// <summary>All that a pointer can do to a plot, without one.</summary>
    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Plot_ByKeyboardAlone_IsZoomedPausedAndExported()
    {
        IPage page = await OpenAsync("/nodes?node=ns%3D2%3Bi%3D1000", "Observer");
        ILocator plot = page.GetByRole(AriaRole.Button, new() { Name = "Plot it" });
        await plot.FocusAsync();
        await page.Keyboard.PressAsync("Enter");
        await page.GetByRole(AriaRole.Img, new() { NameRegex = new("^Values over time; now Tag0 [0-9]") })
            .WaitForAsync();

        await PressAsync(page, "Zoom in");
        await page.GetByRole(AriaRole.Img, new() { NameRegex = new("^Values over time, from .* to ") }).WaitForAsync();
        string zoomed = await LabelAsync(page);
        await PressAsync(page, "Earlier");
        string earlier = await LabelAsync(page);
        await PressAsync(page, "Zoom out");
        await page.GetByRole(AriaRole.Img, new() { NameRegex = new("^Values over time; now ") }).WaitForAsync();
        await PressAsync(page, "Pause");
        await page.GetByRole(AriaRole.Button, new() { Name = "Go on", Pressed = true }).WaitForAsync();
        IDownload download = await page.RunAndWaitForDownloadAsync(() => PressAsync(page, "Export CSV"));

        Assert.NotEqual(zoomed, earlier);
        Assert.StartsWith(
            "time,", await File.ReadAllTextAsync(await download.PathAsync()), StringComparison.Ordinal);
        await page.Context.CloseAsync();
    }

    /// <summary>From when to when, without the value of now.</summary>
    private static async Task<string> LabelAsync(IPage page) =>
        (await page.Locator(".plot").GetAttributeAsync("aria-label"))!.Split(';')[0];

    private static async Task PressAsync(IPage page, string name)
    {
        await page.EvaluateAsync("() => document.querySelector('h1').focus()");
        await ConsoleFixture.ReachAsync(page, name);
        await page.Keyboard.PressAsync("Enter");
    }

    private async Task<IPage> OpenAsync(string path, string user)
    {
        IPage page = await fixture.OpenAsync(path);
        await ConsoleFixture.LogInAsync(page, user);
        return page;
    }
}
