using Gateway.Client;
using Gateway.Interop.Scripts;
using Gateway.Loadtest.Machine;
using Microsoft.Playwright;

namespace Gateway.Interop.OperatorConsole;

/// <summary>What an action in the console does outside of it: a client gets in, a server is reached, a fault is found.
/// </summary>
public sealed class ActionTests(ActionsFixture fixture) : IClassFixture<ActionsFixture>
{
    /// <summary>The subject is the client's own text.</summary>
    [PeerFact(PeerProgram.ConsoleAndNodeOpcUa)]
    public async Task RejectedClient_TrustedAfterTheConfirmation_GetsIn()
    {
        await Assert.ThrowsAsync<ServiceException>(fixture.KnockAsync);
        IPage page = await fixture.OpenAsync("securityadmin", "/certificates");
        ILocator entry = page.GetByRole(AriaRole.Listitem).Filter(new() { HasText = ActionsFixture.Hostile });

        await entry.GetByRole(AriaRole.Button, new() { Name = "Trust …", Exact = true }).ClickAsync();
        ILocator dialog = page.GetByRole(AriaRole.Dialog);
        string shown = await dialog.InnerTextAsync();
        await dialog.GetByRole(AriaRole.Button, new() { Name = "Trust it" }).ClickAsync();
        await dialog.WaitForAsync(new() { State = WaitForSelectorState.Detached });

        Assert.Contains(ActionsFixture.Hostile, shown, StringComparison.Ordinal);
        Assert.False(await page.EvaluateAsync<bool>("() => 'hit' in window"));
        await fixture.KnockAsync();
        await fixture.Gateway.WaitForLogAsync($"trusted {fixture.Stranger.Thumbprint}");
        string audit = fixture.Gateway.Output.Split('\n').First(
            line => line.Contains($"trusted {fixture.Stranger.Thumbprint}", StringComparison.Ordinal));
        Assert.Contains("securityadmin", audit, StringComparison.Ordinal);
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleAndNodeOpcUa)]
    public async Task Upstream_TriedByAnEngineer_WorksStepByStep()
    {
        IPage page = await fixture.OpenAsync("engineer", "/upstreams#test");
        await page.GetByLabel("Endpoint URL").FillAsync(fixture.Plant.EndpointUrl);

        await page.GetByRole(AriaRole.Button, new() { Name = "Test it" }).ClickAsync();

        await page.GetByText("The connection works.").WaitForAsync();
        IReadOnlyList<string> steps = await page.GetByRole(AriaRole.Main).GetByRole(AriaRole.Listitem)
            .AllInnerTextsAsync();
        Assert.Equal(6, steps.Count);
        Assert.All(steps, static step => Assert.StartsWith("In order", step, StringComparison.Ordinal));
        await page.Context.CloseAsync();
    }

    /// <summary>The console writes no file: it says what to put where, and takes that to the gateway's judgement.
    /// </summary>
    [PeerFact(PeerProgram.ConsoleAndNodeOpcUa)]
    public async Task Upstream_ThatWorks_IsShownAsConfigurationThatTheGatewayAccepts()
    {
        IPage page = await fixture.OpenAsync("engineer", "/upstreams#test");
        await page.GetByLabel("Endpoint URL").FillAsync(fixture.Plant.EndpointUrl);
        await page.GetByLabel("User (empty: anonymous)").FillAsync("operator");
        await page.GetByLabel("Password").FillAsync("secret");
        await page.GetByRole(AriaRole.Button, new() { Name = "Test it" }).ClickAsync();
        await page.GetByLabel("Its name in the gateway").FillAsync("Press");

        string json = await page.GetByLabel("For appsettings.json", new() { Exact = false }).First.InputValueAsync();
        string yaml = await page.GetByLabel("For the values of the Helm chart").First.InputValueAsync();
        string line = await page.GetByLabel("For the command line").First.InputValueAsync();
        await page.GetByRole(AriaRole.Link, new() { Name = "check the change" }).ClickAsync();
        await page.GetByLabel("Content", new() { Exact = true }).FillAsync(json);
        await page.GetByRole(AriaRole.Button, new() { Name = "Check it" }).ClickAsync();

        await page.GetByRole(AriaRole.Row).Filter(new() { HasText = "Upstreams:0:EndpointUrl" }).WaitForAsync();
        IDownload download = await page.RunAndWaitForDownloadAsync(() => page.GetByRole(
            AriaRole.Button, new() { Name = "Download as appsettings.json" }).ClickAsync());
        Assert.Equal(json, await File.ReadAllTextAsync(await download.PathAsync()));
        Assert.Contains(fixture.Plant.EndpointUrl, yaml, StringComparison.Ordinal);
        Assert.StartsWith("--Upstreams:0:Name=Press", line, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", json + yaml + line, StringComparison.Ordinal);
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleAndNodeOpcUa)]
    public async Task Upstream_ThatIsNotThere_FailsAtTheFirstStepAndTriesNoOther()
    {
        IPage page = await fixture.OpenAsync("engineer", "/upstreams#test");
        await page.GetByLabel("Endpoint URL").FillAsync($"opc.tcp://127.0.0.1:{FreePort.Next()}");

        await page.GetByRole(AriaRole.Button, new() { Name = "Test it" }).ClickAsync();

        await page.GetByText("The connection does not work yet.").WaitForAsync();
        IReadOnlyList<string> steps = await page.GetByRole(AriaRole.Main).GetByRole(AriaRole.Listitem)
            .AllInnerTextsAsync();
        Assert.StartsWith("Failed", steps[0], StringComparison.Ordinal);
        Assert.All(steps.Skip(1), static step => Assert.StartsWith("Not tried", step, StringComparison.Ordinal));
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleAndNodeOpcUa)]
    public async Task Trace_UnknownTag_MarksTheNodeAndShowsItsNameAsText()
    {
        IPage page = await fixture.OpenAsync("observer", "/trace?node=ns%3D2%3Bs%3D%3Cb%3ENowhere");

        ILocator first = page.Locator(".hops .is-first");
        await first.GetByText("There is no such node, or your roles do not let you see it.").WaitForAsync();

        await page.GetByText("ns=2;s=<b>Nowhere").First.WaitForAsync();
        Assert.Equal(1, await first.CountAsync());
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleAndNodeOpcUa)]
    public async Task Trace_TagOfTheSimulator_Arrives()
    {
        IPage page = await fixture.OpenAsync("observer", "/trace?node=ns%3D2%3Bi%3D1000");

        await page.GetByText("Source Simulator").First.WaitForAsync();
        await page.GetByText("The gateway has a good value.").WaitForAsync();

        Assert.Equal(0, await page.Locator(".hops .is-first").CountAsync());
        await page.Context.CloseAsync();
    }
}
