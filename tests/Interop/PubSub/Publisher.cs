using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Gateway.Interop.Faults;
using Gateway.Interop.Gateways;
using Gateway.Loadtest.Machine;

namespace Gateway.Interop.PubSub;

/// <summary>A demo gateway that publishes the counters of its simulator.</summary>
internal sealed class Publisher : IAsyncDisposable
{
    public const int Tags = 20;
    public const string Data = "opcua/json/data/plant/g/w";
    public const string Status = "opcua/json/status/plant";
    public const string MetaData = "opcua/json/metadata/plant/g/w";

    private const int ChangesPerSecond = 400;

    private readonly HttpClient http;

    private Publisher(GatewayProcess process)
    {
        Process = process;
        http = new() { BaseAddress = new($"http://127.0.0.1:{process.HttpPort}") };
    }

    public GatewayProcess Process { get; }

    /// <param name="folder">Its home.</param>
    /// <param name="brokerPort">On loopback.</param>
    /// <param name="options">In place of those here, and more.</param>
    public static async Task<Publisher> StartAsync(TemporaryFolder folder, int brokerPort, params string[] options) =>
        new(await GatewayProcess.StartAsync(folder, [.. Options(brokerPort), .. options]));

    /// <summary>Its store on a disk that it alone sees.</summary>
    /// <param name="folder">Its home.</param>
    /// <param name="brokerPort">On loopback.</param>
    /// <param name="disk">Of the mount.</param>
    /// <param name="options">As above.</param>
    public static async Task<Publisher> StartOnDiskAsync(
        TemporaryFolder folder, int brokerPort, string disk, params string[] options)
    {
        (int port, int httpPort) = (FreePort.Next(), FreePort.Next());
        string pki = MountedGateway.PkiOf(folder);
        string store = folder.Sub("store");
        string[] command =
        [
            .. MountedGateway.Arguments(pki, port, httpPort), .. Options(brokerPort),
            $"--PubSub:Connections:0:StorePath={store}", .. options,
        ];
        return new(await GatewayProcess.StartTypedAsync(port, httpPort, pki, () =>
        {
            ProcessStartInfo start = MountedGateway.Unshare($"mount -t tmpfs -o {disk} tmpfs '{store}'", command);
            start.WorkingDirectory = folder.Path;
            return start;
        }));
    }

    /// <summary>Its connection in the report.</summary>
    public async Task<JsonElement> ReportAsync()
    {
        using JsonDocument report = JsonDocument.Parse(await http.GetStringAsync("/api/v1/pubsub"));
        return report.RootElement.GetProperty("connections")[0].Clone();
    }

    public async Task<JsonElement> StoreAsync() => (await ReportAsync()).GetProperty("store");

    /// <summary>Until so many messages wait for the broker.</summary>
    public Task StoredAsync(int messages) => Eventually.IsAsync(
        StoreAsync, store => store.GetProperty("messages").GetInt64() >= messages);

    /// <summary>Until the broker has all but so many messages.</summary>
    public Task StoredAtMostAsync(int messages) => Eventually.IsAsync(
        StoreAsync, store => store.GetProperty("messages").GetInt64() <= messages);

    /// <summary>Until so many bytes wait for the broker.</summary>
    public Task StoredBytesAsync(long bytes) => Eventually.IsAsync(
        StoreAsync, store => store.GetProperty("storedBytes").GetInt64() >= bytes);

    /// <summary>Nothing was lost by any count.</summary>
    public async Task AssertNothingLostAsync()
    {
        JsonElement report = await ReportAsync();
        JsonElement group = report.GetProperty("groups")[0];
        Assert.Equal(0, report.GetProperty("gaps").GetArrayLength());
        Assert.Equal(0, report.GetProperty("discarded").GetInt64());
        Assert.Equal(0, report.GetProperty("store").GetProperty("lost").GetInt64());
        foreach (string counter in (string[])["lost", "skipped", "tooLarge", "refusedFields"])
            Assert.True(group.GetProperty(counter).GetInt64() == 0, string.Create(
                CultureInfo.InvariantCulture, $"{counter}: {group.GetProperty(counter)}"));
    }

    public async ValueTask DisposeAsync()
    {
        http.Dispose();
        await Process.DisposeAsync();
    }

    private static string[] Options(int brokerPort)
    {
        const string DataSet = "--PubSub:DataSets:0:";
        const string Connection = "--PubSub:Connections:0:";
        const string Group = Connection + "WriterGroups:0:";
        return
        [
            "--demo", $"--Simulator:Tags={Tags}", $"--Simulator:ChangesPerSecond={ChangesPerSecond}",
            "--PubSub:PublisherId=plant", DataSet + "Name=tags",
            DataSet + "Nodes:0=/Objects/2:Simulator/2:Tags/*", DataSet + "KeyFrameCount=5",
            Connection + "Name=broker", $"{Connection}Address=mqtt://127.0.0.1:{brokerPort}",
            Connection + "StoreMaxBytes=67108864", Group + "Name=g", Group + "WriterGroupId=1",
            Group + "PublishingIntervalMs=100", Group + "DataSetWriters:0:Name=w",
            Group + "DataSetWriters:0:DataSetWriterId=1", Group + "DataSetWriters:0:DataSet=tags",
        ];
    }
}
