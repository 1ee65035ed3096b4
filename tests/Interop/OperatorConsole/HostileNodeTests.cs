using System.Net;
using System.Net.Sockets;
using System.Text;
using Gateway.Interop.Scripts;
using Gateway.Testing;
using Microsoft.Playwright;

namespace Gateway.Interop.OperatorConsole;

/// <summary>Names and values of a controller's nodes, and the words of a server that refuses, are shown as text. Marks
/// that would hide or turn a part of it are spelled out.</summary>
[Collection(nameof(PlantCollection))]
public sealed class HostileNodeTests(PlantFixture fixture)
{
    private const string Markup = "<img src=x onerror=window.hit=1>";
    private const string Script = "<script>window.hit=1</script>";

    private static readonly string ScriptNode = PlantFixture.NodeOf("s=" + Script);

    [PeerTheory(PeerProgram.ConsoleOnPlant)]
    [InlineData("s=" + Script, Script, Markup)]
    [InlineData("s=Turned", @"valve\u202Eneddih\u202C", @"closed\u202Enepo\u202C")]
    [InlineData("s=Controls", @"bell\u0007 \u001B[31mred", @"back\u0008 esc\u001B[2J")]
    [InlineData("s=Long", "long nnnn", "it has 200000 characters")]
    public async Task Node_OfAHostileController_IsText(string id, string name, string value)
    {
        IPage page = await fixture.OpenAsync("Operator", PlantFixture.Path("/nodes", PlantFixture.NodeOf(id)));

        await page.Locator(".current .value").GetByText(value).WaitForAsync();
        await page.GetByRole(AriaRole.Heading, new() { Level = 2 }).Filter(new() { HasText = name }).WaitForAsync();
        await AssertOnlyTextAsync(page);

        await page.GetByLabel("New value").FillAsync(Markup);
        await page.GetByRole(AriaRole.Button, new() { Name = "Write …" }).ClickAsync();
        await page.GetByRole(AriaRole.Dialog).GetByText(value).First.WaitForAsync();
        await AssertOnlyTextAsync(page);
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleOnPlant)]
    public async Task Names_InTheTreeTheSearchTheReferencesTheAttributesAndThePlot_AreText()
    {
        IPage page = await fixture.OpenAsync(
            "Observer", PlantFixture.Path("/nodes", PlantFixture.NodeOf("s=Hostile")));
        await page.GetByRole(AriaRole.Button, new() { Name = "Show: All attributes" }).ClickAsync();
        await page.GetByText("SubscribeToEvents").Or(page.GetByText("EventNotifier")).First.WaitForAsync();
        await page.GetByRole(AriaRole.Button, new() { Name = "Show: References" }).ClickAsync();
        ILocator references = page.GetByRole(AriaRole.Group, new() { Name = "References" });
        await references.GetByRole(AriaRole.Button, new() { Name = Script }).WaitForAsync();
        await page.GetByLabel("Search words of names").FillAsync("<b>number");
        await page.GetByRole(AriaRole.Button, new() { Name = "Search", Exact = true }).ClickAsync();
        await page.Locator(".found").GetByRole(AriaRole.Button, new() { Name = "<b>number</b>" }).ClickAsync();
        await page.GetByRole(AriaRole.Button, new() { Name = "Plot it" }).ClickAsync();
        await page.Locator(".plot[aria-label*='now <b>number</b> 42']").WaitForAsync();
        ILocator tree = page.Locator(".tree");
        await tree.GetByRole(AriaRole.Button, new() { Name = "Below " + PlantFixture.UpstreamName }).ClickAsync();
        await tree.GetByRole(AriaRole.Button, new() { Name = "Below Machine" }).ClickAsync();
        await tree.GetByRole(AriaRole.Button, new() { Name = "More" }).ClickAsync();
        await tree.GetByRole(AriaRole.Button, new() { Name = "Below " + Markup }).ClickAsync();
        await tree.GetByText(@"bell\u0007 \u001B[31mred").WaitForAsync();

        await AssertOnlyTextAsync(page);
        await page.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleOnPlant)]
    public async Task Trace_OfAHostileNode_IsText()
    {
        IPage page = await fixture.OpenAsync("Observer", PlantFixture.Path("/trace", ScriptNode));

        await page.GetByText(Script).First.WaitForAsync();
        await page.GetByText("Source <b>Press</b>").First.WaitForAsync();

        await AssertOnlyTextAsync(page);
        await page.Context.CloseAsync();
    }

    /// <summary>Its reason stands in the answer to a test, which people read to find out what is wrong.</summary>
    [PeerFact(PeerProgram.ConsoleOnPlant)]
    public async Task Refusal_OfAHostileServer_IsText()
    {
        using TcpListener server = new(IPAddress.Loopback, 0);
        server.Start();
        Task refusing = RefuseAsync(server);
        IPage page = await fixture.OpenAsync("Engineer", "/upstreams#test");
        int port = ((IPEndPoint)server.LocalEndpoint).Port;
        await page.GetByLabel("Endpoint URL").FillAsync($"opc.tcp://127.0.0.1:{port}");

        await page.GetByRole(AriaRole.Button, new() { Name = "Test it" }).ClickAsync();

        await page.GetByText("The connection does not work yet.").WaitForAsync();
        await refusing.WaitAsync(Patience.Limit);
        await page.GetByRole(AriaRole.Main).GetByText(Markup).First.WaitForAsync();
        await AssertOnlyTextAsync(page);
        await page.Context.CloseAsync();
    }

    /// <summary>No element and no script came of it, nothing turns the text, and the page did not become wider than its
    /// window.</summary>
    private static async Task AssertOnlyTextAsync(IPage page)
    {
        string text = await page.EvaluateAsync<string>("() => document.body.innerText");
        int over = await page.EvaluateAsync<int>("() => document.documentElement.scrollWidth - innerWidth");

        Assert.False(await page.EvaluateAsync<bool>("() => 'hit' in window"));
        Assert.Equal(0, await page.Locator("#app img, #app b, #app script").CountAsync());
        Assert.DoesNotContain(text, static sign => sign is '\u202E' or '\u001B' or '\u0007');
        Assert.True(over <= 0, $"{over} pixels too wide");
    }

    /// <summary>To each connection ERR with hostile words. Source: Part 6 §7.1.2.5.</summary>
    private static async Task RefuseAsync(TcpListener server)
    {
        byte[] reason = Encoding.UTF8.GetBytes(Markup + "\u202E\u0007");
        using MemoryStream message = new();
        using BinaryWriter writer = new(message);
        writer.Write("ERRF"u8);
        writer.Write(16 + reason.Length);
        // Bad_TcpServerTooBusy.
        writer.Write(0x807D0000u);
        writer.Write(reason.Length);
        writer.Write(reason);
        using Socket client = await server.AcceptSocketAsync();
        await client.ReceiveAsync(new byte[64]);
        await client.SendAsync(message.ToArray());
    }
}
