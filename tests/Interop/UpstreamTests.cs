using System.Text.Json;
using Gateway.Interop.Scripts;

namespace Gateway.Interop;

/// <summary>node-opcua's client, the gateway, and two of node-opcua's servers behind it.</summary>
[Collection(nameof(AloneCollection))]
public sealed class UpstreamTests(UpstreamFixture fixture) : IClassFixture<UpstreamFixture>
{
    private const int Items = 100;
    private const string SessionCount = "i=2277";

    [PeerFact]
    public async Task Watch_OneUpstreamKilledAndRestarted_ComesBackAndTheOtherLosesNothing()
    {
        await using PeerProcess first = Watch(UpstreamFixture.FirstUri);
        await using PeerProcess second = Watch(UpstreamFixture.SecondUri);
        await second.WaitForAsync("flowing");
        await first.WaitForAsync("flowing");

        await fixture.First.KillAsync();
        await first.WaitForAsync("all-bad");
        await StartFirstAsync(Items, 1_000_000, "urn:interop:newcomer");
        await first.WaitForAsync("flowing");
        await first.SendLineAsync("stop");
        await second.SendLineAsync("stop");

        WatchResult outage = WatchResult.From(await first.ResultAsync());
        WatchResult calm = WatchResult.From(await second.ResultAsync());
        calm.AssertNothingLostOrRepeated();
        Assert.Equal(Items, calm.Items);
        Assert.True(outage.Silent == 0 && outage.Backwards == 0 && outage.Losses == 0, outage.Text);
        Assert.True(outage.Bad >= Items, outage.Text);
        Assert.Contains("BadNoCommunication", outage.Text);
    }

    [PeerFact]
    public async Task Item_NodeGoneFromTheUpstreamAndBack_SaysSoAndGoesOn()
    {
        await using PeerProcess watcher = PeerProcess.Start("gone.js", PeerArguments.Create(
            fixture.Folder, fixture.Client, fixture.Gateway.EndpointUrl,
            new { namespaceUri = UpstreamFixture.FirstUri, id = $"i={1000 + Items - 1}" }));
        await watcher.WaitForAsync("watching");

        await fixture.First.KillAsync();
        await StartFirstAsync(Items - 1);
        await watcher.WaitForAsync("gone");
        await fixture.First.KillAsync();
        await StartFirstAsync(Items);
        JsonElement result = await watcher.ResultAsync();

        Assert.Equal(["Good", "Good"], result.GetProperty("created").EnumerateArray().Select(one => one.GetString()));
        Assert.Equal($"Tag{1000 + Items - 1}", result.GetProperty("name").GetString());
    }

    [PeerFact]
    public async Task Write_ThroughTheGateway_ReachesTheUpstream()
    {
        int value = Random.Shared.Next();
        JsonElement through = await AccessAsync(fixture.Gateway.EndpointUrl, new
        {
            writes = new[] { new { uri = UpstreamFixture.SecondUri, id = "s=Int32", type = "Int32", value } },
            reads = new[] { new { uri = UpstreamFixture.SecondUri, id = "s=Int32" } },
        });
        JsonElement direct = await AccessAsync(fixture.Second.EndpointUrl, new
        {
            reads = new[]
            {
                new { uri = UpstreamFixture.SecondUri, id = "s=Int32" },
                new { uri = "", id = SessionCount },
            },
        });

        // The gateway's one and this direct one, whatever the number of clients.
        Assert.Equal(2, direct.GetProperty("values")[1].GetProperty("value").GetInt32());
        Assert.Equal("Good", through.GetProperty("written")[0].GetString());
        Assert.Equal(value, through.GetProperty("values")[0].GetProperty("value").GetInt32());
        Assert.Equal(value, direct.GetProperty("values")[0].GetProperty("value").GetInt32());
        Assert.Equal(direct.GetProperty("values")[0].GetProperty("sourceTimestamp").GetString(),
            through.GetProperty("values")[0].GetProperty("sourceTimestamp").GetString());
    }

    [PeerFact]
    public async Task Write_RefusedByTheUpstream_IsRefusedByTheGateway()
    {
        JsonElement through = await AccessAsync(fixture.Gateway.EndpointUrl, new
        {
            writes = new[] { new { uri = UpstreamFixture.SecondUri, id = "s=ReadOnly", type = "Int32", value = 1 } },
        });

        Assert.Equal("BadNotWritable", through.GetProperty("written")[0].GetString());
    }

    [PeerFact]
    public async Task Values_OfEachType_PassThrough()
    {
        JsonElement result = await PeerProcess.RunAsync("values.js", PeerArguments.Create(
            fixture.Folder, fixture.Client, fixture.Gateway.EndpointUrl,
            new { namespaceUri = UpstreamFixture.SecondUri }));

        Assert.All(result.GetProperty("trips").EnumerateArray(), trip =>
        {
            Assert.Equal("Good", trip.GetProperty("write").GetString());
            Assert.Equal(trip.GetProperty("sent").GetString(), trip.GetProperty("received").GetString());
        });
    }

    [PeerFact]
    public async Task Browse_TwoUpstreams_HasNoDanglingReference()
    {
        JsonElement result = await PeerProcess.RunAsync("browse.js",
            PeerArguments.Create(fixture.Folder, fixture.Client, fixture.Gateway.EndpointUrl, new { }));

        Assert.Equal(0, result.GetProperty("danglingCount").GetInt32());
        Assert.Equal(0, result.GetProperty("oneSidedCount").GetInt32());
        JsonElement counts = result.GetProperty("counts");
        Assert.InRange(counts.GetProperty(UpstreamFixture.FirstUri).GetInt32(), Items, int.MaxValue);
        Assert.InRange(counts.GetProperty(UpstreamFixture.SecondUri).GetInt32(), Items, int.MaxValue);
        Assert.InRange(counts.GetProperty("urn:gateway:upstreams").GetInt32(), 2, int.MaxValue);
    }

    /// <summary>Types that only the upstream defines are the gateway's as well: node-opcua decodes their values as it
    /// does there, and HTTP has their fields by name.</summary>
    [PeerFact]
    public async Task Structures_OfTheUpstreamAlone_AreDecodedThroughEveryDoor()
    {
        string[] names = ["PumpMode", "PumpState", "PumpLimits", "PumpReading"];
        object all = new { reads = names.Select(name => new { uri = UpstreamFixture.SecondUri, id = $"s={name}" }) };

        JsonElement direct = await AccessAsync(fixture.Second.EndpointUrl, all);
        JsonElement through = await AccessAsync(fixture.Gateway.EndpointUrl, all);

        Assert.Equal(names.Length, direct.GetProperty("values").GetArrayLength());
        Assert.Equal(direct.GetProperty("values").GetRawText(), through.GetProperty("values").GetRawText());
        Assert.Equal(12.5, through.GetProperty("values")[1].GetProperty("value").GetProperty("speed").GetDouble());
        string fields = "\"speed\":12.5,\"mode\":\"Manual_1\",\"bearings\":" +
            """[{"temperature":40.5,"note":"left"},{"temperature":41,"note":""}]""";
        Assert.Equal(Typed(20, fields), await HttpAsync("PumpState"));
        Assert.Equal(Typed(30, """ "highest":99.5,"reason":"rust" """.Trim()), await HttpAsync("PumpLimits"));
        Assert.Equal(Typed(40, """ "text":"full" """.Trim()), await HttpAsync("PumpReading"));
    }

    /// <summary>The first upstream has the same types.</summary>
    private static string Typed(int type, string fields) =>
        $$"""{"UaTypeId":"nsu=urn:interop:pumps;i={{type}}",{{fields}}}""";

    private async Task<string> HttpAsync(string name)
    {
        string node = Uri.EscapeDataString($"nsu={UpstreamFixture.SecondUri};s={name}");
        using HttpClient http = new();
        string answer = await http.GetStringAsync(
            new Uri($"http://127.0.0.1:{fixture.Gateway.HttpPort}/api/v1/values?node={node}"));
        using JsonDocument document = JsonDocument.Parse(answer);
        return document.RootElement.GetProperty("values")[0].GetProperty("value").GetRawText();
    }

    private Task StartFirstAsync(int tags, int start = 0, params string[] namespacesBefore) =>
        fixture.First.StartAsync(new
        {
            pki = fixture.Folder.Sub("first-pki"),
            port = fixture.First.Port,
            applicationUri = "urn:interop:first",
            namespaceUri = UpstreamFixture.FirstUri,
            namespacesBefore,
            changeMs = 250,
            tags,
            start,
        });

    private PeerProcess Watch(string namespaceUri) => PeerProcess.Start("watch.js", PeerArguments.Create(
        fixture.Folder, fixture.Client, fixture.Gateway.EndpointUrl,
        new { namespaceUri, items = Items, publishingIntervalMs = 100 }));

    private Task<JsonElement> AccessAsync(string endpointUrl, object access) => PeerProcess.RunAsync("access.js",
        PeerArguments.Create(fixture.Folder, fixture.Client, endpointUrl, access));
}
