using Gateway.Interop.Scripts;
using Microsoft.Playwright;

namespace Gateway.Interop.OperatorConsole;

/// <summary>The upstream and the broker as the pages show them: while they are there, away, and back.</summary>
[Collection(nameof(PlantCollection))]
public sealed class OutageTests(PlantFixture fixture)
{
    private static readonly string Tag = PlantFixture.NodeOf("i=1000");

    [PeerFact(PeerProgram.ConsoleOnPlant)]
    public async Task Upstream_AwayAndBack_IsToldInWordsOnEachPage()
    {
        IPage upstreams = await fixture.OpenAsync("Observer", "/upstreams");
        IPage trace = await fixture.OpenAsync("Observer", PlantFixture.Path("/trace", Tag));
        IPage overview = await fixture.OpenAsync("Observer", "/");
        ILocator press = upstreams.GetByRole(AriaRole.Region, new() { Name = PlantFixture.UpstreamName });
        await press.GetByText("Delivers").WaitForAsync();
        await trace.GetByText("arrives.").First.WaitForAsync();
        await AssertHopsAsync(trace, "Node", $"Source {PlantFixture.UpstreamName}", "Item at the source",
            "Value in the gateway", "Monitored items", "Sweep", "WriterGroup of PubSub", "DataSetWriter w");
        await overview.GetByText("The upstream delivers;").WaitForAsync();

        await fixture.Plant.KillAsync();

        await press.GetByText("Away", new() { Exact = true }).WaitForAsync();
        string failure = await press.InnerTextAsync();
        ILocator first = trace.Locator(".hops .is-first");
        await first.GetByText("It is away").WaitForAsync();
        await overview.GetByText("1 upstream of 1 does not deliver (<b>Press</b>)").WaitForAsync();
        await overview.GetByText("<b>Press</b> is away").First.WaitForAsync();

        await fixture.Plant.StartAsync();

        await press.GetByText("Delivers").WaitForAsync();
        await trace.GetByText("arrives.").First.WaitForAsync();
        await overview.GetByText("The upstream delivers;").WaitForAsync();
        await overview.GetByText("Over", new() { Exact = true }).First.WaitForAsync();
        Assert.Contains("What to do:", failure, StringComparison.Ordinal);
        Assert.Equal(0, await upstreams.Locator("b").CountAsync());
        foreach (IPage page in new[] { upstreams, trace, overview })
            await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleOnPlant)]
    public async Task Broker_AwayAndBack_TheBacklogGrowsAndGoes()
    {
        IPage pubsub = await fixture.OpenAsync("Observer", "/upstreams#pubsub");
        IPage trace = await fixture.OpenAsync("Observer", PlantFixture.Path("/trace", Tag));
        IPage overview = await fixture.OpenAsync("Observer", "/");
        ILocator broker = pubsub.GetByRole(AriaRole.Region, new() { Name = "broker", Exact = true });
        await broker.GetByText("Delivers").First.WaitForAsync();
        ILocator writer = trace.GetByRole(AriaRole.Listitem).Filter(new() { HasText = "DataSetWriter w" });
        await writer.GetByText("It publishes.").WaitForAsync();

        await fixture.Broker.KillAsync();

        await broker.GetByText("At fault").First.WaitForAsync();
        await broker.Locator("div").Filter(new() { HasTextRegex = new("^Waiting messages[1-9]") }).First.WaitForAsync();
        await writer.GetByText("messages wait on the disk").WaitForAsync();
        string hop = await writer.InnerTextAsync();
        ILocator notice = overview.GetByRole(AriaRole.Region, new() { Name = "Needs attention" })
            .GetByRole(AriaRole.Listitem).Filter(new() { HasText = "broker has no connection" });
        await notice.WaitForAsync();
        string attention = await notice.InnerTextAsync();

        await fixture.Broker.StartAsync();

        await broker.GetByText("Delivers").First.WaitForAsync();
        await writer.GetByText("It publishes.").WaitForAsync();
        await notice.WaitForAsync(new() { State = WaitForSelectorState.Detached });
        Assert.Contains("What to do:", hop, StringComparison.Ordinal);
        Assert.Contains("What to do:", attention, StringComparison.Ordinal);
        foreach (IPage page in new[] { pubsub, trace, overview })
            await page.Context.CloseAsync();
    }

    /// <summary>In their order, each in order: on a busy machine as soon as none is late.</summary>
    private static async Task AssertHopsAsync(IPage trace, params string[] titles)
    {
        // The writers appear once their node is there.
        await trace.GetByText(titles[^1]).First.WaitForAsync();
        ILocator hops = trace.Locator(".hops > li");

        Assert.Equal(titles, await hops.Locator("strong").AllInnerTextsAsync());
        await Eventually.HoldsAsync(async () => (await hops.AllInnerTextsAsync())
            .All(static hop => hop.StartsWith("In order", StringComparison.Ordinal)));
    }

    /// <summary>It is there under another name already: the try takes nothing over.</summary>
    [PeerFact(PeerProgram.ConsoleOnPlant)]
    public async Task Broker_TriedByAnEngineer_WorksAndIsShownAsConfiguration()
    {
        string address = $"mqtt://127.0.0.1:{fixture.Broker.Port}";
        IPage page = await fixture.OpenAsync("Engineer", "/upstreams#broker");
        await page.GetByLabel("Address of the broker").FillAsync(address);

        await page.GetByRole(AriaRole.Button, new() { Name = "Test the broker" }).ClickAsync();

        await page.GetByText("The connection works.").WaitForAsync();
        IReadOnlyList<string> steps = await page.GetByRole(AriaRole.Main).GetByRole(AriaRole.Listitem)
            .AllInnerTextsAsync();
        Assert.Equal(
            ["In order", "Not tried", "In order", "In order"],
            steps.Select(static step => step.Split('\n')[0].Trim()));
        await page.GetByLabel("Its name in the gateway").FillAsync("Cloud");
        string line = await page.GetByLabel("For the command line").First.InputValueAsync();
        Assert.Contains($":Address={address}", line, StringComparison.Ordinal);
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleOnPlant)]
    public async Task Alarm_OfAnUpstreamThatIsAway_IsAcknowledgedWithAComment()
    {
        IPage page = await fixture.OpenAsync("Operator", "/alarms");
        ILocator active = page.GetByRole(AriaRole.Main).GetByRole(AriaRole.Listitem)
            .Filter(new() { HasText = PlantFixture.UpstreamName }).Filter(new() { HasText = "Active" });

        await fixture.Plant.KillAsync();
        await active.GetByText("Active, not acknowledged").WaitForAsync();
        await active.GetByRole(AriaRole.Button, new() { Name = "Acknowledge …" }).ClickAsync();
        await page.GetByLabel("Comment (may be empty)").FillAsync("The crew is on its way");
        await page.GetByRole(AriaRole.Button, new() { Name = "Acknowledge", Exact = true }).ClickAsync();

        await active.GetByText("The crew is on its way").WaitForAsync();
        await active.GetByText("Active", new() { Exact = true }).WaitForAsync();
        Assert.Equal(0, await active.GetByRole(AriaRole.Button, new() { Name = "Acknowledge …" }).CountAsync());
        await fixture.Plant.StartAsync();
        await active.WaitForAsync(new() { State = WaitForSelectorState.Detached });
        await page.Context.CloseAsync();
    }
}
