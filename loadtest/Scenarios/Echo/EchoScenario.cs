using System.CommandLine;

namespace Gateway.Loadtest.Scenarios.Echo;

/// <summary>A Call that returns its argument, against payload, batch and chunk size.</summary>
internal sealed class EchoScenario : Scenario
{
    public static readonly Option<string> Payloads = Text(
        "--payloads", "20,256,1024,4096,16384,65536,262144,2000000", "Characters of the argument, a list.");

    public static readonly Option<string> Batches = Text(
        "--batches",
        "0,256,1024,4096,65536",
        "What the started gateway gathers in a burst before the kernel gets it (Limits:SendBatchBytes), bytes, a " +
        "list; 0: each message at once, which is no flush guard.");

    public static readonly Option<string> Chunks = Text(
        "--chunks", "65536", "Largest chunk of the started gateway, both ways, bytes, from 8192, a list.");

    public static readonly Option<string> Depths = Text("--depths", "1,16", "Calls under way at a time, a list.");

    public static readonly Option<string> Policies = Text(
        "--policies", "None,Basic256Sha256", "Security policies, a list; None with mode None, others SignAndEncrypt.");

    public static readonly Option<double> CellMs = Milliseconds(
        "--cell", 1000, "Length of one measurement in ms, after a quarter of it to warm up.");

    public static readonly Option<string> Folder = Text(
        "--object", "nsu=urn:gateway:simulator;s=Methods", "Node id of the method's object.");

    public static readonly Option<string> Method = Text(
        "--method", "nsu=urn:gateway:simulator;s=Echo", "Node id of a method that returns its argument, a String.");

    private const int MostPayload = 16_000_000;
    private const int LeastChunk = 8192;
    private const int MostChunk = 1 << 24;

    public override string Name => "echo";

    public override string Summary => "A Call that returns its argument: round trip and cost by payload size.";

    public override string Description =>
        """
        Calls Echo with texts of 20 B to 2 MB and checks that each comes back. For each batch and chunk size a gateway
        is started; each security policy and number of calls under way is measured on it. A batch is what the server
        gathers before the kernel gets it: with one call under way there is one message a burst, so batches show only
        with several. The table gives the round trip, the server's and the driver's CPU, the server's system calls (by
        perf, where it may) and allocated bytes, each a call. More than 8 MB under way is left out. With --url
        the server is measured as it is.
        """;

    public override bool StartsServers => true;

    public override IReadOnlyList<Option> Options { get; } =
        [Payloads, Batches, Chunks, Depths, Policies, CellMs, Folder, Method];

    public override Plant PlantOf(ScenarioValues values) => new() { Tags = 1, ChangesPerSecond = 1 };

    public override IEnumerable<string> Validate(ScenarioValues values)
    {
        if (NumberList.TryParse(values.Get(Payloads), 0, MostPayload) is null)
            yield return $"--payloads is no list of numbers up to {MostPayload}";
        if (NumberList.TryParse(values.Get(Batches), 0, MostChunk) is null)
            yield return $"--batches is no list of numbers up to {MostChunk}";
        if (NumberList.TryParse(values.Get(Chunks), LeastChunk, MostChunk) is null)
            yield return $"--chunks is no list of numbers from {LeastChunk} to {MostChunk}";
        if (NumberList.TryParse(values.Get(Depths), 1, 1000) is null)
            yield return "--depths is no list of numbers from 1 to 1000";
        foreach (var policy in PoliciesOf(values))
        {
            if (!Transport.Security.SecurityPolicies.TryGetByName(policy, out _))
                yield return $"--policies names an unknown policy: {policy}";
        }
    }

    public override Task RunAsync(RunContext context) => new EchoRun(context, this).RunAsync();

    public static string[] PoliciesOf(ScenarioValues values) =>
        values.Get(Policies).Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
}
