using System.ComponentModel;
using System.Diagnostics;
using System.Reflection;

namespace Gateway.Mqtt.Tests.RealPeers;

/// <summary>Which third-party programs are there.</summary>
internal static class PeerPrograms
{
    private static readonly string[] OfMosquitto =
        [Mosquitto, "mosquitto_pub", "mosquitto_sub", "mosquitto_passwd"];

    private static readonly string? MissingMosquitto = OfMosquitto.FirstOrDefault(program => !Starts(program, "-h"))
        is { } missing
            ? $"{missing} is not installed: apt-get install mosquitto mosquitto-clients (README, Test)"
            : null;

    private static readonly string? MissingMqttJs = !Starts("node", "--version")
        ? "node is not installed: the mqtt.js peer cannot run (README, Test)"
        : Directory.Exists(Path.Combine(ScriptFolder, "node_modules", "mqtt"))
            ? null
            : "mqtt.js is not installed: run 'npm ci' in tests/Mqtt.Tests/peers (README, Test)";

    /// <summary>Debian puts it where only root looks.</summary>
    public static string Mosquitto => File.Exists("/usr/sbin/mosquitto") ? "/usr/sbin/mosquitto" : "mosquitto";

    public static string ScriptFolder => typeof(PeerPrograms).Assembly
        .GetCustomAttributes<AssemblyMetadataAttribute>().Single(item => item.Key == "PeersFolder").Value!;

    /// <summary>Null: the test runs.</summary>
    public static string? ReasonOf(MqttPeer peer) =>
        Environment.GetEnvironmentVariable("CI") == "true" ? null : MissingOf(peer);

    /// <summary>Fails with CI=true where a program is missing.</summary>
    public static void Demand(MqttPeer peer) => Assert.True(MissingOf(peer) is null, MissingOf(peer));

    private static string? MissingOf(MqttPeer peer) =>
        MissingMosquitto ?? (peer == MqttPeer.MqttJs ? MissingMqttJs : null);

    private static bool Starts(string program, string argument)
    {
        try
        {
            ProcessStartInfo start = new(program, [argument])
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            };
            using var process = Process.Start(start)!;
            process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            return true;
        }
        catch (Win32Exception)
        {
            return false;
        }
    }
}
