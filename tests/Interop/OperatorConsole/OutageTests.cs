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

    /// <summary>In their order, each in order.</summary>
    private static async Task AssertHopsAsync(IPage trace, params string[] titles)
    {
        // The writers appear once their node is there.
        await trace.GetByText(titles[^1]).First.WaitForAsync();
        ILocator hops = trace.Locator(".hops > li");

        Assert.Equal(titles, await hops.Locator("strong").AllInnerTextsAsync());
        Assert.All(
            await hops.AllInnerTextsAsync(),
            static hop => Assert.StartsWith("In order", hop, StringComparison.Ordinal));
    }
}
