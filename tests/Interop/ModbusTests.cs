using System.Net.Http.Json;
using System.Text.Json;
using System.Text.RegularExpressions;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Gateway.Loadtest.Machine;
using Gateway.Testing;

namespace Gateway.Interop;

/// <summary>The example of docs/modbus.md as it stands there, with the address of jsmodbus' device in it.</summary>
public sealed class ModbusTests
{
    private const string Address = "192.168.0.20:502";

    [PeerFact]
    public async Task Example_InFrontOfADevice_ReadWrittenWatchedAndBackAfterALoss()
    {
        using TemporaryFolder folder = new();
        int port = FreePort.Next();
        string page = await File.ReadAllTextAsync(Path.Combine(PeerFolder.Path, "..", "..", "..", "docs", "modbus.md"));
        string example = Regex.Match(page, "```json\n(.*?)```", RegexOptions.Singleline).Groups[1].Value;
        Assert.Contains(Address, example, StringComparison.Ordinal);
        string file = Path.Combine(folder.Path, "modbus.json");
        await File.WriteAllTextAsync(file, example.Replace(Address, $"127.0.0.1:{port}", StringComparison.Ordinal));
        PeerProcess device = Start(port);
        await device.WaitForAsync("ready");
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(
            folder, "--demo", $"--Config:Path={file}", "--Simulator:Enabled=false");
        using HttpClient http = new() { BaseAddress = new Uri($"http://127.0.0.1:{gateway.HttpPort}/api/v1/") };

        Assert.Equal(1.5, (await ValueAsync(http, "Pressure")).GetProperty("value").GetDouble());
        Assert.Equal("Kessel 1", (await ValueAsync(http, "Label")).GetProperty("value").GetString());
        Assert.True((await ValueAsync(http, "Alarm")).GetProperty("value").GetBoolean());
        Assert.True((await ValueAsync(http, "DoorOpen")).GetProperty("value").GetBoolean());
        Assert.Equal(60, (await ValueAsync(http, "SetPoint")).GetProperty("value").GetDouble(), 6);
        await WriteAsync(http, "SetPoint", 72.5);
        Assert.Equal(725, (await device.WaitForAsync("written")).GetProperty("setPoint").GetInt32());
        await WriteAsync(http, "Pump", true);
        Assert.Equal(1, (await device.WaitForAsync("written")).GetProperty("pump").GetInt32());
        await WatchAsync(http, "Temperature");

        await device.KillAsync();
        await device.DisposeAsync();
        await UntilAsync(http, "Pressure", "BadNoCommunication");
        device = Start(port);
        await device.WaitForAsync("ready");
        await UntilAsync(http, "Pressure", "Good");
        await device.DisposeAsync();
    }

    private static PeerProcess Start(int port) => PeerProcess.Start("modbus.js", new { port });

    private static string NodeOf(string tag) => "nsu=urn:gateway:modbus;s=Boiler/" + tag;

    /// <summary>As soon as it is good: a device that stands still for two seconds is away.</summary>
    private static Task<JsonElement> ValueAsync(HttpClient http, string tag) => Eventually.IsAsync(
        () => ReadAsync(http, tag), static one => one.GetProperty("status").GetString() == "Good");

    private static async Task<JsonElement> ReadAsync(HttpClient http, string tag)
    {
        JsonElement answer = await http.GetFromJsonAsync<JsonElement>(
            new Uri("values?node=" + Uri.EscapeDataString(NodeOf(tag)), UriKind.Relative));
        return answer.GetProperty("values")[0];
    }

    private static async Task WriteAsync(HttpClient http, string tag, object value)
    {
        using HttpResponseMessage answer = await http.PutAsJsonAsync(
            new Uri("values", UriKind.Relative), new { values = new[] { new { node = NodeOf(tag), value } } });
        JsonElement results = await answer.Content.ReadFromJsonAsync<JsonElement>();
        Assert.Equal("Good", results.GetProperty("results")[0].GetProperty("status").GetString());
    }

    private static Task UntilAsync(HttpClient http, string tag, string status) => Eventually.HoldsAsync(
        async () => (await ReadAsync(http, tag)).GetProperty("status").GetString() == status);

    /// <summary>The device counts: each of three messages has another value.</summary>
    private static async Task WatchAsync(HttpClient http, string tag)
    {
        using CancellationTokenSource limit = new(Patience.Limit);
        await using Stream stream = await http.GetStreamAsync(
            new Uri("stream?interval=200&node=" + Uri.EscapeDataString(NodeOf(tag)), UriKind.Relative), limit.Token);
        using StreamReader lines = new(stream);
        HashSet<double> seen = [];
        while (seen.Count < 3)
        {
            string line = await lines.ReadLineAsync(limit.Token) ?? throw new EndOfStreamException();
            if (!line.StartsWith("data:", StringComparison.Ordinal) ||
                !line.Contains("\"value\"", StringComparison.Ordinal))
                continue;
            using JsonDocument data = JsonDocument.Parse(line[5..]);
            seen.Add(data.RootElement.GetProperty("values")[0].GetProperty("value").GetDouble());
        }
    }
}
