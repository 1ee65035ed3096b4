using Gateway.Interop.Scripts;
using Gateway.Loadtest.Scenarios.Rest.Viewers;
using Gateway.Testing;
using Microsoft.Playwright;

namespace Gateway.Interop.OperatorConsole;

/// <summary>The load driver asks for what the pages ask for: nothing is left out of <c>loadtest console</c>.</summary>
public sealed class ConsoleRequestTests(ConsoleFixture fixture) : IClassFixture<ConsoleFixture>
{
    private const string Stream = "/stream";

    /// <summary>Asked once, when a page is opened or a person does something.</summary>
    private static readonly string[] Once = ["/me", "/nodes/i%3D85/children", "/config"];

    public static TheoryData<string, string> Pages => new()
    {
        { "overview", "/" },
        { "alarms", "/alarms" },
        { "clients", "/clients" },
        { "admission", "/admission" },
        { "certificates", "/certificates" },
        { "nodes", "/nodes?node=ns%3D2%3Bi%3D1000" },
        { "upstreams", "/upstreams" },
        { "pubsub", "/upstreams#pubsub" },
        { "trace", "/trace?node=ns%3D2%3Bi%3D1000" },
        { "configuration", "/configuration" },
        { "limits", "/configuration#limits" },
    };

    [PeerTheory(PeerProgram.ConsoleInChromium)]
    [MemberData(nameof(Pages))]
    public async Task Page_WhileItIsOpen_AsksForWhatTheLoadDriverKnows(string name, string path)
    {
        ConsolePage known = ConsolePage.All.Single(one => one.Name == name);
        string[] expected =
        [
            .. known.Polls.Select(static one => PathOf(one.Path)), .. known.HasStream ? new[] { Stream } : [],
        ];
        HashSet<string> asked = [];
        HashSet<string> answered = [];
        TaskCompletionSource all = new(TaskCreationOptions.RunContinuationsAsynchronously);
        IPage page = await fixture.OpenAsync("/livez");
        await page.Clock.InstallAsync();
        page.Request += (_, request) => Take(request, asked);
        page.RequestFinished += (_, request) => Take(request, answered);

        await page.GotoAsync(fixture.Origin + path);
        await ConsoleFixture.LogInAsync(page, "admin");
        await all.Task.WaitAsync(Patience.Limit);
        // Once more of what goes on soonest: by then all that the page asks for at first has been asked. Some pages
        // would ask again in half a minute only.
        await page.RunAndWaitForRequestAsync(
            () => page.Clock.FastForwardAsync("01:00"),
            static request => request.Url.Contains("/api/v1/", StringComparison.Ordinal));

        lock (asked)
            Assert.Equal(expected.Order(), asked.Except(Once.Except(expected)).Order());
        await page.Context.CloseAsync();

        void Take(IRequest request, HashSet<string> into)
        {
            const string root = "/api/v1";
            string path = new Uri(request.Url).AbsolutePath;
            if (!path.StartsWith(root, StringComparison.Ordinal))
                return;
            lock (asked)
            {
                into.Add(path[root.Length..]);
                // A stream has no end.
                if (expected.All(asked.Contains) && expected.Where(static one => one != Stream).All(answered.Contains))
                    all.TrySetResult();
            }
        }
    }

    /// <summary>Two more of the driver's pages, which a person makes of the list of sessions.</summary>
    [PeerFact(PeerProgram.ConsoleInChromium)]
    public async Task Sessions_TogetherAndSearched_AskForWhatTheLoadDriverKnows()
    {
        IPage page = await fixture.OpenAsync("/clients");
        await ConsoleFixture.LogInAsync(page, "admin");
        ILocator together = page.GetByLabel("Together by");
        await together.WaitForAsync();

        IRequest grouped = await page.RunAndWaitForRequestAsync(
            () => together.SelectOptionAsync("address"),
            static request => request.Url.Contains("/clients?by=", StringComparison.Ordinal));
        await together.SelectOptionAsync("");
        IRequest searched = await page.RunAndWaitForRequestAsync(
            () => page.GetByRole(AriaRole.Searchbox).FillAsync("load"),
            static request => request.Url.Contains("q=load", StringComparison.Ordinal));

        Assert.Equal(["/api/v1" + PollOf("clients-together")], [new Uri(grouped.Url).PathAndQuery]);
        Assert.Equal(["/api/v1" + PollOf("clients-searched")], [new Uri(searched.Url).PathAndQuery]);
        await page.GetByText("0 sessions found.").WaitForAsync();
        await page.Context.CloseAsync();
    }

    private static string PollOf(string name) =>
        Assert.Single(ConsolePage.All.Single(one => one.Name == name).Polls).Path;

    private static string PathOf(string path) => path.Split('?')[0];
}
