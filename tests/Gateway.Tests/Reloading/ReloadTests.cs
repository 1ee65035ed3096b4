using Gateway.Host.Configuration;
using Gateway.Host.Reloading;
using Gateway.PubSub;
using Gateway.Server;
using Gateway.Tests.Clock;
using Gateway.Tests.Rest;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Gateway.Tests.Reloading;

/// <summary>The configuration is read again: right, wrong, and in part for the next start only.</summary>
public sealed class ReloadTests
{
    [Fact]
    public async Task Reload_ALimit_InForceAtOnceAndShown()
    {
        await using var gateway = await ReloadGateway.StartAsync("{}");
        var two = RestGateway.Query("/api/v1/values", "ns=0;i=2256", "ns=0;i=2258");
        Assert.Equal(200, (await RestGateway.GetAsync(gateway.Host.Client, two)).Status);

        var reload = await gateway.ApplyAsync("""{"Limits":{"MaxHttpNodes":1,"MaxSessions":77}}""");

        Assert.Equal(["Limits:MaxHttpNodes", "Limits:MaxSessions"], reload.Verdict.Changes.Select(one => one.Key));
        Assert.NotEqual(200, (await RestGateway.GetAsync(gateway.Host.Client, two)).Status);
        var (_, limits) = await RestGateway.GetAsync(gateway.Host.Client, "/api/v1/limits?name=MaxSessions");
        var shown = limits.GetProperty("limits")[0];
        Assert.Equal(77, shown.GetProperty("inForce").GetInt32());
        Assert.Equal("file", shown.GetProperty("origin").GetString());
        // Server_ServerCapabilities_MaxSessions
        var (_, node) = await RestGateway.GetAsync(
            gateway.Host.Client, RestGateway.Query("/api/v1/values", "ns=0;i=24095"));
        Assert.Equal(77, node.GetProperty("values")[0].GetProperty("value").GetInt32());
    }

    /// <summary>A change of the file is as security-relevant as an engineer's request.</summary>
    [Fact]
    public async Task Reload_ByTheFile_IsInTheAuditTrail()
    {
        var folder = Directory.CreateTempSubdirectory("audit-");
        await using (var gateway = await ReloadGateway.StartAsync("{}", $"--Audit:Path={folder.FullName}"))
        {
            gateway.Write("""{"Limits":{"MaxSessions":77}}""");
            var watch = gateway.Host.Get<IEnumerable<IHostedService>>().OfType<ConfigurationWatch>().Single();
            watch.Look();
            watch.Look();
            await watch.Reloading;
        }

        var trail = string.Concat(
            folder.GetFiles("audit-*.jsonl").Select(static one => File.ReadAllText(one.FullName)));
        Assert.Contains("\"kind\":\"ConfigurationReloaded\",\"status\":\"Good\"", trail, StringComparison.Ordinal);
        Assert.Contains("the file has changed: 1 changes, 0 errors", trail, StringComparison.Ordinal);
        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Reload_ALimit_SaysWhatItWas()
    {
        await using var gateway = await ReloadGateway.StartAsync("{}");

        await gateway.ApplyAsync("""{"Limits":{"MaxSessions":77}}""");

        var value = await gateway.ValueOfAsync("Limits:MaxSessions");
        Assert.Equal("77", value.GetProperty("value").GetString());
        Assert.Equal("12000", value.GetProperty("before").GetString());
        Assert.True(value.GetProperty("changed").GetBoolean());
        Assert.False(value.TryGetProperty("restart", out _), value.ToString());
        await gateway.ApplyAsync("{}");
        Assert.Equal("12000", (await gateway.ValueOfAsync("Limits:MaxSessions")).GetProperty("value").GetString());
    }

    /// <summary>One error, and the right rest of the file is not taken over either.</summary>
    [Theory]
    [InlineData("""{"Limits":{"MaxSessions":77,"MaxHttpNodes":"none"}}""", "Limits:MaxHttpNodes")]
    [InlineData("""{"Limits":{"MaxSessions":77,"MaxHttpNodez":1}}""", "Limits:MaxHttpNodez")]
    [InlineData("""{"Limits":{"MaxSessions":77},"Upstreams":[{"Name":"Press"}]}""", "Upstreams:0:EndpointUrl")]
    [InlineData("""{"Limits":{"MaxSessions":77},"Users":[{"Name":"anna"}]}""", "Users:0")]
    [InlineData("""{"Limits":{"MaxSessions":77},"Log":{"Level":"Loud"}}""", "Log:Level")]
    public async Task Reload_Wrong_RejectedWholeWithItsKey(string json, string key)
    {
        await using var gateway = await ReloadGateway.StartAsync("{}");

        var (status, answer) = await gateway.ReloadAsync(json);

        Assert.Equal(409, status);
        Assert.Equal("BadConfigurationError", answer.GetProperty("statusCode").GetString());
        Assert.Equal(key, Assert.Single(answer.GetProperty("errors").EnumerateArray()).GetProperty("key").GetString());
        Assert.Equal(12_000, gateway.Host.Get<LimitTable>().ByName["MaxSessions"]);
        var (_, last) = await RestGateway.GetAsync(gateway.Host.Client, "/api/v1/config/reload");
        Assert.False(last.GetProperty("applied").GetBoolean());
        Assert.Equal(1, gateway.Host.Get<ReloadCounters>().Rejected);
    }

    [Fact]
    public async Task Reload_NoJson_RejectedWithTheFileAndThePlace()
    {
        await using var gateway = await ReloadGateway.StartAsync("{}");

        var (status, answer) = await gateway.ReloadAsync("{\n \"Limits\": {");

        Assert.Equal(409, status);
        var problem = Assert.Single(answer.GetProperty("errors").EnumerateArray()).GetProperty("problem").GetString();
        Assert.Contains("plant.json: line 2", problem, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Reload_KeyThatNeedsARestart_SaidAndNotApplied()
    {
        await using var gateway = await ReloadGateway.StartAsync("{}");

        var (status, answer) = await gateway.ReloadAsync(
            """
            {
              "Limits": {"MaxConnections": 500, "MaxSessions": 77}, "NodeSets": {"Path": ""},
              "Shutdown": {"GraceSeconds": 20}
            }
            """);

        Assert.Equal(200, status);
        Assert.True(answer.GetProperty("restart").GetBoolean());
        var changes = answer.GetProperty("changes").EnumerateArray().ToDictionary(
            one => one.GetProperty("key").GetString()!, one => one.TryGetProperty("restart", out _));
        Assert.Equal(
            new Dictionary<string, bool>
            {
                ["Limits:MaxConnections"] = true,
                ["Limits:MaxSessions"] = false,
                ["Shutdown:GraceSeconds"] = true,
            },
            changes);
        Assert.Equal(77, gateway.Host.Get<LimitTable>().ByName["MaxSessions"]);
        Assert.Equal(13_000, gateway.Host.Get<LimitTable>().ByName["MaxConnections"]);
        var shown = await gateway.ValueOfAsync("Shutdown:GraceSeconds");
        Assert.Equal("10", shown.GetProperty("value").GetString());
        Assert.Equal("20", shown.GetProperty("next").GetString());
        Assert.True(shown.GetProperty("restart").GetBoolean() && shown.GetProperty("pending").GetBoolean());
    }

    [Fact]
    public async Task Reload_LogLevels_FromThenOn()
    {
        await using var gateway = await ReloadGateway.StartAsync("{}");
        var log = gateway.Host.Get<ILoggerFactory>().CreateLogger("Gateway.Server.Something");
        var other = gateway.Host.Get<ILoggerFactory>().CreateLogger("Gateway.Publish.Something");
        Assert.False(log.IsEnabled(LogLevel.Debug));

        await gateway.ApplyAsync("""{"Log":{"Level":"Warning","Levels":{"Gateway.Server":"Debug"}}}""");

        Assert.True(log.IsEnabled(LogLevel.Debug));
        Assert.False(other.IsEnabled(LogLevel.Information));
        await gateway.ApplyAsync("{}");
        Assert.False(log.IsEnabled(LogLevel.Debug));
        Assert.True(other.IsEnabled(LogLevel.Information));
    }

    /// <summary>Nothing was published at the start: the parts for it are not there.</summary>
    [Fact]
    public async Task Reload_FirstPubSubConnection_NeedsARestart()
    {
        await using var gateway = await ReloadGateway.StartAsync("{}");

        var reload = await gateway.ApplyAsync(PubSub("1"));

        Assert.NotEmpty(reload.Verdict.Changes);
        Assert.All(reload.Verdict.Changes, one => Assert.True(one.NeedsRestart, one.Key));
    }

    [Fact]
    public async Task Reload_PubSubConnection_IsTakenOver()
    {
        using var store = new StoreFolder();
        await using var gateway = await ReloadGateway.StartAsync(PubSub("1", store.Path), store.Options);

        var reload = await gateway.ApplyAsync(PubSub("2", store.Path));

        Assert.Equal(
            [("PubSub:Connections:0:Address", false)],
            reload.Verdict.Changes.Select(one => (one.Key, one.NeedsRestart)));
        Assert.Empty(reload.Verdict.Faults);
        Assert.Equal(
            "mqtt://127.0.0.1:2", gateway.Host.Get<PubSubService>().Options.Connections[0].Address.ToString());
    }

    /// <summary>Nobody asks for it: the file is looked at.</summary>
    [Fact]
    public async Task File_Changed_IsReadAgain()
    {
        await using var gateway = await ReloadGateway.StartAsync("{}");

        gateway.Write("""{"Limits":{"MaxSessions":77}}""");
        await Condition.UntilAsync(() => gateway.Control.Last is not null);

        Assert.Equal("the file has changed", gateway.Control.Last!.By);
        Assert.Equal(77, gateway.Host.Get<LimitTable>().ByName["MaxSessions"]);
    }

    /// <summary>The command line has precedence over the file, also at a reload.</summary>
    [Fact]
    public async Task Reload_KeyOfTheCommandLine_Stays()
    {
        await using var gateway = await ReloadGateway.StartAsync("{}", "--Limits:MaxSessions=50");

        var reload = await gateway.ApplyAsync("""{"Limits":{"MaxSessions":77}}""");

        Assert.Empty(reload.Verdict.Changes);
        Assert.Equal(50, gateway.Host.Get<LimitTable>().ByName["MaxSessions"]);
    }

    [Fact]
    public async Task Last_NoReloadYet_404()
    {
        await using var gateway = await ReloadGateway.StartAsync("{}");

        Assert.Equal(404, (await RestGateway.GetAsync(gateway.Host.Client, "/api/v1/config/reload")).Status);
    }

    private static string PubSub(string port, string store = "") =>
        $$"""
        {
          "PubSub": {
            "DataSets": [{"Name": "d", "Nodes": ["ns=2;s=Int32"]}],
            "Connections": [{
              "Name": "broker", "Address": "mqtt://127.0.0.1:{{port}}", "StorePath": "{{store}}",
              "WriterGroups": [{
                "Name": "g", "WriterGroupId": 1,
                "DataSetWriters": [{"Name": "w", "DataSetWriterId": 1, "DataSet": "d"}]
              }]
            }]
          }
        }
        """;

    /// <summary>Each limit is a key that follows or one that says that it does not.</summary>
    [Fact]
    public async Task Limits_AllThatFollow_AreInForceAfterAReload()
    {
        await using var gateway = await ReloadGateway.StartAsync("{}");
        var table = gateway.Host.Get<LimitTable>();
        var live = table.ByName.Where(one => LiveKeys.IsLimit(one.Key) && one.Value is int).ToList();
        Assert.True(live.Count > 60, $"{live.Count}");
        var json = string.Join(',', live.Select(one => $"\"{one.Key}\":{(int)one.Value + 1}"));

        await gateway.ApplyAsync($"{{\"Limits\":{{{json}}}}}");

        Assert.All(live, one => Assert.Equal((int)one.Value + 1, table.ByName[one.Key]));
    }

    /// <summary>A request that asks for the least and the most session time-out gets those of one configuration. One
    /// number after the other, the least was above the most for a moment, and that request failed.</summary>
    [Fact]
    public async Task Limits_ThatBelongTogether_ChangeAtOneInstant()
    {
        const string Short = """{"Limits":{"MinSessionTimeout":"00:00:10","MaxSessionTimeout":"00:00:20"}}""";
        const string Long = """{"Limits":{"MinSessionTimeout":"00:01:00","MaxSessionTimeout":"00:02:00"}}""";
        await using var gateway = await ReloadGateway.StartAsync(Short);
        var limits = gateway.Host.Get<ServerLimits>();
        using var stop = new CancellationTokenSource();
        var pairs = Task.Run(() =>
        {
            var seen = new HashSet<(TimeSpan, TimeSpan)>();
            while (!stop.IsCancellationRequested)
            {
                var now = limits.Now;
                seen.Add((now.MinSessionTimeout, now.MaxSessionTimeout));
            }

            return seen;
        });

        for (var i = 0; i < 20; i++)
            await gateway.ApplyAsync(i % 2 == 0 ? Long : Short);
        await stop.CancelAsync();

        HashSet<(TimeSpan, TimeSpan)> whole =
        [
            (TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(20)), (TimeSpan.FromMinutes(1), TimeSpan.FromMinutes(2)),
        ];
        Assert.Subset(whole, await pairs);
        Assert.Equal(TimeSpan.FromSeconds(20), limits.MaxSessionTimeout);
    }

    /// <summary>Each request that would have clamped between the two failed.</summary>
    [Fact]
    public async Task Limits_LeastAboveMost_RejectedWithBothNames()
    {
        await using var gateway = await ReloadGateway.StartAsync("{}");

        var (status, answer) = await gateway.ReloadAsync("""{"Limits":{"MinSamplingIntervalMs":4000000}}""");

        Assert.Equal(409, status);
        var error = answer.GetProperty("errors")[0];
        Assert.Equal("Limits:MinSamplingIntervalMs", error.GetProperty("key").GetString());
        Assert.Contains("MaxSamplingIntervalMs", error.GetProperty("problem").GetString(), StringComparison.Ordinal);
    }

    /// <summary>For what PubSub keeps.</summary>
    private sealed class StoreFolder : IDisposable
    {
        private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("reload-store-");

        public string Path => System.IO.Path.Combine(_folder.FullName, "store");

        public string[] Options =>
        [
            $"--PubSub:VersionsPath={_folder.FullName}/versions.json", $"--PubSub:NoncesPath={_folder.FullName}/n.json",
        ];

        public void Dispose() => _folder.Delete(recursive: true);
    }
}
