using System.Text.Json;
using Gateway.Loadtest.Peers;

namespace Gateway.Loadtest.Tests;

/// <summary>The driver against the program as users start it: small, and nothing about time.</summary>
public sealed class SmokeTests
{
    [Theory]
    [InlineData("sessions --sessions 5 --seconds 2 --warm-up 0 --interval 100 --tags 10 --changes 100")]
    [InlineData("storm --clients 20 --live 5 --baseline 50 --certificates 2 --tags 10 --interval 100 --hold 0 " +
        "--silent 2 --newcomer 200 --subscribe --limit 300")]
    [InlineData("sampled --sessions 3 --items 2 --write-tags 10 --interval 1500 --sampling 50 --every 150 " +
        "--seconds 4 --warm-up 0")]
    [InlineData("stream --viewers 8 --items 5 --tags 20 --interval 100 --change 1000 --warm-up 1 --seconds 2 " +
        "--peer-viewers 0")]
    [InlineData("changes --direction both --seconds 2 --warm-up 0 --tags 50 --changes 500 --write-tags 20")]
    public async Task Run_StartedGateway_AllChecksHold(string line)
    {
        using var json = await RunAsync(line);

        Assert.True(json.RootElement.GetProperty("passed").GetBoolean());
        Assert.NotNull(Value(json, "server collections Gen2"));
        Assert.True(Value(json, CheckedRowOf(line)) > 0);
    }

    /// <summary>The cold column is of a gateway's first seconds under the load, so each shape has a gateway of its own.
    /// A closed loop has as many Reads under way as rate × round trip says; one at a time cannot come to more than one.
    /// </summary>
    [Fact]
    public async Task Read_SomeUnderWay_IsToldByTheColumnsAndIsSo()
    {
        using var json = await RunAsync("read --sessions 1 --under-way 8 --cold 1 --warm-up 0 --seconds 1");

        Assert.Equal(["1 × 8, cold", "1 × 8, warm"], Columns(json));
        Assert.All(Columns(json), column => Assert.True(Value(json, "Reads a second", column) > 0));
        Assert.All(Columns(json), column => Assert.True(
            Value(json, "Reads under way, by rate × mean round trip", column) > 2));
    }

    /// <summary>Each part against a gateway of its own: its answers are what they have to be, beside the empty
    /// endpoint's of the same shape.</summary>
    [Fact]
    public async Task Rest_EachPart_IsAnsweredAndStandsBesideTheEmptyEndpoint()
    {
        using var json = await RunAsync(
            "rest --connections 2 --many 3 --nodes 500 --sessions 3 --cold 0 --warm-up 0 --seconds 1 --peer false");

        Assert.Equal(
            [
                "empty, 2 × 1, warm", "empty, 3 × 1, warm", "get, 2 × 1, warm", "get, 3 × 1, warm",
                "post, 2 × 1, warm", "large, 2 × 1, warm", "write, 2 × 1, warm", "search, 2 × 1, warm",
                "search-large, 1 × 1, warm", "sessions alone", "get beside sessions",
            ],
            Columns(json));
        Assert.All(
            Columns(json).Where(static column => column != "sessions alone"),
            column => Assert.True(Value(json, "requests a second", column) > 0));
        Assert.Equal(3, Value(json, "sessions", "get beside sessions"));
        Assert.True(Value(json, "of the empty endpoint's rate", "get, 3 × 1, warm") > 0);
        Assert.True(
            Value(json, "values a second", "large, 2 × 1, warm") >=
            500 * Value(json, "requests a second", "large, 2 × 1, warm") - 1);
    }

    [Fact]
    public async Task Console_EachPage_IsAnsweredBesideTheSessions()
    {
        using var json = await RunAsync(
            "console --viewers 11 --sessions 3 --warm-up 1 --seconds 4 --pages overview,clients-together,nodes,mixed");

        Assert.Equal(["no viewer", "overview, 11", "clients-together, 11", "nodes, 11", "mixed, 11"], Columns(json));
        Assert.All(Columns(json)[1..], column => Assert.Equal(0, Value(json, "answers that are not 200", column)));
        Assert.All(Columns(json)[1..], column => Assert.Equal(11, Value(json, "viewers", column)));
        Assert.True(Value(json, "requests a second", "mixed, 11") > 0);
        Assert.True(Value(json, "bytes a second", "nodes, 11") > 0);
    }

    /// <summary>Where mosquitto is missing the run says so, and passes.</summary>
    [Fact]
    public async Task PubSub_EachMappingAndAnOutage_EveryValueComes()
    {
        using var json = await RunAsync(
            "pubsub --values 500 --writers 3 --fields 20 --interval 50 --key-frames 5 --sessions 2 --warm-up 1 " +
            "--seconds 2 --outage 1 --parts json,uadp,outage");

        if (Mosquitto.Program is null)
        {
            Assert.NotEqual("true", Environment.GetEnvironmentVariable("CI"));
            Assert.Contains(
                json.RootElement.GetProperty("notes").EnumerateArray(),
                note => note.GetString()!.StartsWith("skipped: mosquitto", StringComparison.Ordinal));
            return;
        }

        Assert.Equal(["publishes nothing", "json", "uadp", "outage"], Columns(json));
        Assert.All(Columns(json)[1..], column => Assert.True(Value(json, "values a second", column) > 0));
        Assert.All(Columns(json)[1..], column => Assert.Equal(0, Value(json, "values missing", column)));
        Assert.True(Value(json, "values that came while it drained", "outage") > 0);
    }

    [Fact]
    public async Task Events_EachPart_EveryEventAndEveryAlarmComes()
    {
        using var json = await RunAsync(
            "events --events 1000 --clients 20 --filters 10 --alarms 300 --refreshers 5 --sessions 3 --interval 200 " +
            "--warm-up 1 --seconds 3 --peer-events 50");

        Assert.Equal(
            [
                "without event items", "1,000 events/s", "burst, 300 alarms", "refresh, 300 conditions",
                "node-opcua, 50 events/s",
            ],
            Columns(json));
        Assert.True(Value(json, "notifications a second", "1,000 events/s") > 0);
        Assert.Equal(0, Value(json, "events missing", "1,000 events/s"));
        Assert.Equal(3, Value(json, "sessions", "without event items"));
        Assert.Equal(0, Value(json, "sessions: values missing", "1,000 events/s"));
        Assert.Equal(20 * 300, Value(json, "notifications", "burst, 300 alarms"));
        Assert.Equal(5 * 300, Value(json, "notifications", "refresh, 300 conditions"));
        Assert.True(Value(json, "notifications a second", "node-opcua, 50 events/s") > 0);
    }

    [Fact]
    public async Task Upstreams_EachPart_EveryValueComesAndTheLostServerIsBack()
    {
        using var json = await RunAsync(
            "upstreams --upstreams 2 --items 50 --interval 500 --seconds 3 --warm-up 1 --mirror-nodes 500 --settle 0");

        Assert.Equal(["steady", "reconnect", "mirror"], Columns(json));
        Assert.Equal(100, Value(json, "items", "steady"));
        Assert.True(Value(json, "notifications a second", "steady") > 0);
        Assert.Equal(50, Value(json, "items", "reconnect"));
        Assert.True(Value(json, "nodes", "mirror") >= 500);
    }

    /// <summary>node-opcua behind Express is measured by the same client and the same checks.</summary>
    [Theory]
    [InlineData("rest --connections 2 --many 0 --nodes 10 --cold 0 --warm-up 0 --seconds 1 " +
        "--parts get,post,large,write")]
    [InlineData("stream --viewers 2 --items 5 --tags 20 --interval 200 --change 1000 --warm-up 1 --seconds 2 " +
        "--peer-viewers 2")]
    public async Task HttpScenarios_WithThePeer_MeasureItToo(string line)
    {
        using var json = await RunAsync(line);

        var theirs = Columns(json).Where(column => column.StartsWith("node-opcua", StringComparison.Ordinal)).ToArray();
        Assert.NotEmpty(theirs);
        var row = line.StartsWith("rest", StringComparison.Ordinal) ? "requests a second" : "values a second";
        Assert.All(theirs, column => Assert.True(Value(json, row, column) > 0));
    }

    [Fact]
    public async Task Sessions_StepsOfAColdGateway_StandBesideTheMachinesSpeed()
    {
        using var json = await RunAsync(
            "sessions --steps 3,5 --warm-up-sessions 0 --seconds 1 --warm-up 0 --interval 100 --tags 10 --changes 100");

        var table = Assert.Single(json.RootElement.GetProperty("tables").EnumerateArray());
        var rows = table.GetProperty("rows").EnumerateArray()
            .Select(row => row.EnumerateArray().Select(cell => cell.GetString()).ToArray()).ToList();
        Assert.Equal(
            ["ready after its start", "server CPU of a session, 1 to 3", "server CPU of a session, 4 to 5"],
            rows.Select(row => row[0]));
        Assert.All(rows, row => Assert.All(row, cell => Assert.NotEqual("n/a", cell)));
    }

    [Fact]
    public async Task Notify_SubscriptionsOfAConnection_AreToldByTheColumnsAndAreThere()
    {
        using var json = await RunAsync(
            "notify --sessions 2 --under-way 3 --items 1,2 --interval 200 --tags 10 --cold 1 --warm-up 0 --seconds 2");

        Assert.Equal(
            [
                "1 a message, 2 × 3, cold", "1 a message, 2 × 3, warm",
                "2 a message, 2 × 3, cold", "2 a message, 2 × 3, warm",
            ],
            Columns(json));
        Assert.All(Columns(json), column => Assert.Equal(6, Value(json, "subscriptions", column)));
        Assert.All(Columns(json), column => Assert.True(Value(json, "messages a second", column) > 0));
    }

    /// <summary>Of 60 queue entries a client gets 50, the rest is the reserve (R46). An item with a queue of one entry
    /// may lose values without a word: its cell must not look like a loss of the server's, nor like one that held.
    /// </summary>
    [Fact]
    public async Task Matrix_QueuesThatTheServerRevises_AreARefusalThatSaysSo()
    {
        const string Line = "matrix --sessions 1,2 --subscriptions 1 --items 10 --interval 100 --seconds 1 --queue 5 " +
            "--lateness 10000 --gateway-arg=--Limits:MaxQueuedValues=60";
        var folder = Directory.CreateTempSubdirectory("loadtest-smoke");
        try
        {
            using var output = new StringWriter();
            var parsed = CommandLine.Build(output)
                .Parse([.. Line.Split(' '), "--gateway", Gateway(), "--out", folder.FullName]);

            var code = await parsed.InvokeAsync();

            Assert.True(code == 0, output.ToString());
            var report = File.ReadAllText(Assert.Single(folder.GetFiles("*.md")).FullName);
            Assert.Contains("**Refusal**: 10 queues of 5 entries revised to fewer", report, StringComparison.Ordinal);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static async Task<JsonDocument> RunAsync(string line)
    {
        var folder = Directory.CreateTempSubdirectory("loadtest-smoke");
        try
        {
            using var output = new StringWriter();
            var parsed = CommandLine.Build(output)
                .Parse([.. line.Split(' '), "--gateway", Gateway(), "--out", folder.FullName]);

            var code = await parsed.InvokeAsync();

            Assert.True(code == 0, output.ToString());
            Assert.Single(folder.GetFiles("*.md"));
            return JsonDocument.Parse(File.ReadAllText(Assert.Single(folder.GetFiles("*.json")).FullName));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static string CheckedRowOf(string line) => line.Split(' ')[0] switch
    {
        "sessions" or "sampled" => "notifications received",
        "storm" => "storm clients",
        "stream" => "values a second",
        _ => "client to server: changes seen a second",
    };

    private static string[] Columns(JsonDocument json) =>
        [.. json.RootElement.GetProperty("columns").EnumerateArray().Select(column => column.GetString()!)];

    /// <param name="json">The report.</param>
    /// <param name="name">Of the row.</param>
    /// <param name="column">Null: the first.</param>
    private static double? Value(JsonDocument json, string name, string? column = null)
    {
        var row = json.RootElement.GetProperty("rows").EnumerateArray()
            .First(row => row.GetProperty("name").GetString() == name);
        var value = row.GetProperty("values").EnumerateObject()
            .First(entry => column is null || entry.Name == column).Value;
        return value.ValueKind == JsonValueKind.Null ? null : value.GetDouble();
    }

    /// <summary>tests/Loadtest.Tests/bin/X/net10.0 → src/Gateway/bin/X/net10.0.</summary>
    private static string Gateway()
    {
        var own = new DirectoryInfo(AppContext.BaseDirectory);
        var root = own.Parent!.Parent!.Parent!.Parent!.Parent!.FullName;
        return Path.Combine(root, "src", "Gateway", "bin", own.Parent.Name, own.Name, "Gateway.Gateway.dll");
    }
}
