using System.CommandLine;
using System.Net;
using Gateway.Loadtest.Scenarios.Compare;

namespace Gateway.Loadtest.Scenarios.Rest;

/// <summary>Requests to the resource API as fast as they are answered, beside an empty endpoint and a peer.</summary>
internal sealed class RestScenario : Scenario
{
    public static readonly Option<int> Connections =
        Number("--connections", 16, "Connections, a request under way on each.", 1, 1000);

    public static readonly Option<int> Many = Number(
        "--many", 500, "Connections of a second measurement of empty and get; 0: none.", 0, 10_000);

    public static readonly Option<int> Nodes = Number("--nodes", 1000, "Values in a request of large.", 1, 10_000);

    public static readonly Option<int> Cold = Number(
        "--cold", 2, "Seconds measured from the first request on, of servers started here; 0: not.", 0, 3600);

    public static readonly Option<int> WarmUp = Number("--warm-up", 3, "Seconds before each measurement.", 0, 3600);

    public static readonly Option<int> Seconds = Number("--seconds", 8, "Seconds measured.", 1, 86_400);

    public static readonly Option<int> Sessions = Number(
        "--sessions", 0, "Sessions of UA-TCP, with a subscription of one item at 1 s each, alone and beside get.", 0,
        50_000);

    public static readonly Option<bool> WithPeer = new("--peer")
    {
        Description = "Also node-opcua behind Express: true or false.",
        DefaultValueFactory = _ => true,
    };

    public static readonly Option<string> HttpUrl = new("--http-url")
    {
        Description = "With --url: that server's resource API, http://127.0.0.1:8080. Not for a plant: write writes.",
    };

    private static readonly Option<string> Parts =
        Text("--parts", string.Join(',', RestPart.Names), "What is measured, a list.");

    public override string Name => "rest";

    public override string Summary => "HTTP requests as fast as they are answered, beside an empty endpoint.";

    public override string Description =>
        """
        On each keep-alive connection of HTTP/1.1 one request is under way. A part is one kind of request: empty (an
        empty minimal-API endpoint in a process of its own, with the gateway's Kestrel settings and runtime), get and
        post (one value), large (--nodes values by POST), write (one value, a variable for each connection), search,
        search-large (one search at a time over a plant of 100,000 tags).
        Every answer must be 200 with as many Good statuses as nodes, the first of each connection is read as JSON, and
        each written variable must read as written last. A gateway started here is a fresh one for each part. Beside it
        node-opcua's server behind Express (--peer), which reads its own address space: run 'npm ci' in
        tests/Interop/peers once.
        Prints, a column for each part, cold and warm: requests and values a second, in all and for each core of the
        server, the share of the empty endpoint's rate, CPU of server and driver a request, the round trip. With
        --sessions also the lateness of sessions alone and beside get.
        """;

    public override IReadOnlyList<Option> Options { get; } =
    [
        Connections, Many, Nodes, Parts, Cold, WarmUp, Seconds, Sessions, WithPeer, HttpUrl, CompareScenario.Peers,
        WriteTags.Format, WriteTags.First,
    ];

    public static string[] PartsOf(ScenarioValues values) =>
        values.Get(Parts).Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);

    public override Plant PlantOf(ScenarioValues values) => new()
    {
        Tags = Math.Max(1000, values.Get(Nodes)),
        WritableTags = values.Get(Connections),
    };

    public override IEnumerable<string> Validate(ScenarioValues values)
    {
        foreach (var name in PartsOf(values).Except(RestPart.Names))
            yield return $"--parts has no {name}: {string.Join(", ", RestPart.Names)}";
        foreach (var error in ValidateUrl(values))
            yield return error;
    }

    /// <summary>The resource API of a server that is not started here.</summary>
    public static IEnumerable<string> ValidateUrl(ScenarioValues values)
    {
        var url = values.Get(HttpUrl);
        if (values.Get(CommonOptions.Url) is null)
        {
            if (url is not null)
                yield return "--http-url is the resource API of the server of --url";
        }
        else if (!Uri.TryCreate(url, UriKind.Absolute, out var uri) || uri.Scheme != Uri.UriSchemeHttp ||
            !IPAddress.TryParse(uri.Host, out var address) || !IPAddress.IsLoopback(address))
        {
            yield return $"--http-url is not the http address of a server here, with its number: {url}";
        }
    }

    public override Task RunAsync(RunContext context) => new RestRun(context, this).RunAsync();
}
