using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Gateway.Testing;

namespace Gateway.Interop.Deploy;

/// <summary>A subscription that node-opcua's client has made durable outlives the client and the gateway: durable.js.
/// </summary>
public sealed class DurableTests
{
    private const int Last = 400;

    private static readonly string[] Options =
    [
        "--Pki:AutoTrust=true", "--Simulator:Tags=0",
        "--Users:0:Name=operator", "--Users:0:Password=correct horse", "--Users:0:Roles:0=Operator",
        "--Users:1:Name=engineer", "--Users:1:Password=slide rule", "--Users:1:Roles:0=Engineer",
    ];

    [PeerTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Client_AwayAndGatewayReplaced_TakesOverEveryValue(bool orderly)
    {
        using TemporaryFolder folder = new();
        TestCertificate client = TestCertificate.ForApplication(folder.Path, "urn:interop:client");
        await using GatewayProcess gateway = await GatewayProcess.StartAsync(folder, Options);
        await using PeerProcess peer = PeerProcess.Start(
            "durable.js", PeerArguments.Create(folder, client, gateway.EndpointUrl, new { last = Last }));
        JsonElement away = await peer.WaitForAsync("away");
        Assert.Equal([1], Numbers(away, "seen"));

        if (orderly)
            Assert.Equal(0, await gateway.StopAsync());
        else
            await KillBehindASaveAsync(gateway);
        await gateway.StartAsync();
        await gateway.WaitForLogAsync(orderly ? "ended in order" : "ended without a last save");
        await peer.SendLineAsync("back");
        JsonElement result = await peer.ResultAsync();

        Assert.Equal("Good", Text(result.GetProperty("transferred"), "status"));
        Assert.Equal([1], Numbers(result, "again"));
        // The simulated plant begins anew: its value of the start is a change like others.
        int reset = result.GetProperty("reset").GetInt32();
        Assert.Equal([.. Enumerable.Range(2, 199), reset, .. Enumerable.Range(201, Last - 200)],
            Numbers(result, "values"));
        Assert.Equal(
            ("Good", 24, 5000),
            (Text(result.GetProperty("set"), "status"), result.GetProperty("set").GetProperty("hours").GetInt32(),
                result.GetProperty("queue").GetInt32()));
        Assert.Equal(
            ("BadInvalidState", "BadUserAccessDenied", "BadUserAccessDenied", "Good", "BadSubscriptionIdInvalid"),
            (Text(result, "tooLate"), Text(result, "strangerSets"), Text(result, "otherUser"), Text(result, "deleted"),
                Text(result, "unknown")));
        Assert.All(result.GetProperty("executable").EnumerateArray(), one => Assert.True(one.GetBoolean()));
    }

    /// <summary>Once a save has the last value, and its commit behind it.</summary>
    private static async Task KillBehindASaveAsync(GatewayProcess gateway)
    {
        // The length of a Variant, its type Int32, and the value 200.
        byte[] value = [5, 0, 0, 0, 6, 200, 0, 0, 0];
        string folder = Path.Combine(gateway.Pki, "durable");
        TaskCompletionSource saved = new(TaskCreationOptions.RunContinuationsAsynchronously);
        using FileSystemWatcher watcher = new(folder, "*.sub") { NotifyFilter = NotifyFilters.Size };
        watcher.Changed += (_, _) => Look();
        watcher.EnableRaisingEvents = true;
        Look();
        await saved.Task.WaitAsync(Patience.Limit);
        await gateway.KillAsync();

        void Look()
        {
            foreach (string file in Directory.GetFiles(folder, "*.sub"))
            {
                ReadOnlySpan<byte> bytes = ReadShared(file);
                int at = bytes.IndexOf(value);
                if (at >= 0 && bytes[at..].IndexOf("UserName:operator"u8) >= 0)
                    saved.TrySetResult();
            }
        }
    }

    private static byte[] ReadShared(string file)
    {
        using FileStream stream = new(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        byte[] bytes = new byte[stream.Length];
        int count = stream.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
        return bytes[..count];
    }

    private static string? Text(JsonElement element, string name) => element.GetProperty(name).GetString();

    private static int[] Numbers(JsonElement element, string name) =>
        [.. element.GetProperty(name).EnumerateArray().Select(static one => one.GetInt32())];
}
