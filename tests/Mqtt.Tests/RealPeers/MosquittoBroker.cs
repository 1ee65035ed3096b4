using Gateway.Loadtest.Machine;
using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.Tests.Clients;

namespace Gateway.Mqtt.Tests.RealPeers;

/// <summary>A mosquitto of this test, on a loopback port of its own.</summary>
internal sealed class MosquittoBroker : IAsyncDisposable
{
    private readonly string _file;
    private PeerProcess _process;

    private MosquittoBroker(string file, int port)
    {
        (_file, Port) = (file, port);
        _process = Start();
    }

    public int Port { get; }

    public PeerProcess Process => _process;

    /// <param name="folder">For its configuration and its store.</param>
    /// <param name="lines">More lines of configuration; without one about users anonymous ones may come.</param>
    public static async Task<MosquittoBroker> StartAsync(TestFolder folder, params string[] lines)
    {
        PeerPrograms.Demand(MqttPeer.Mosquitto);
        var port = FreePort.Next();
        var isOpen = !lines.Any(line => line.StartsWith("allow_anonymous", StringComparison.Ordinal));
        string[] all =
        [
            $"listener {port} 127.0.0.1", .. lines, isOpen ? "allow_anonymous true" : "",
            "persistence true", $"persistence_location {folder.Root}/", "log_dest stderr", "log_type all",
            // It would change to a user who cannot read the test's folder.
            Environment.UserName == "root" ? "user root" : "",
        ];
        var broker = new MosquittoBroker(folder.Write("mosquitto.conf", string.Join('\n', all) + "\n"), port);
        await broker._process.LineAsync(" running");
        return broker;
    }

    /// <summary>Kills it (SIGKILL).</summary>
    public Task KillAsync() => _process.KillAsync();

    /// <summary>Again on the same port, after its end.</summary>
    public async Task RestartAsync()
    {
        await _process.DisposeAsync();
        _process = Start();
        await _process.LineAsync(" running");
    }

    public MqttClientOptions Options(MqttVersion version, string clientId = "gateway") => new()
    {
        Host = "127.0.0.1",
        Port = Port,
        Version = version,
        ClientId = clientId,
        Limits = ClientHouse.Patient,
    };

    /// <summary>mosquitto_sub, once it is subscribed; each message is a line <c>&gt;topic qos retain payload</c>.
    /// </summary>
    public async Task<PeerProcess> SubscribeAsync(MqttVersion version, string filter, params string[] arguments)
    {
        var peer = new PeerProcess(
            "mosquitto_sub",
            ["-V", NumberOf(version), "-h", "127.0.0.1", "-p", $"{Port}", "-t", filter, "-q", "1", "-i", "sub",
                "-F", ">%t %q %r %p", .. arguments]);

        // The broker's word: its own stays in its buffer until a message comes.
        await _process.LineAsync("Sending SUBACK to sub");
        return peer;
    }

    public Task PublishAsync(MqttVersion version, string topic, string payload, params string[] arguments) =>
        PeerProcess.RunAsync(
            "mosquitto_pub",
            ["-V", NumberOf(version), "-h", "127.0.0.1", "-p", $"{Port}", "-t", topic, "-m", payload, "-q", "1",
                .. arguments]);

    public ValueTask DisposeAsync() => _process.DisposeAsync();

    private static string NumberOf(MqttVersion version) => version == MqttVersion.V5 ? "5" : "311";

    private PeerProcess Start() => new(PeerPrograms.Mosquitto, "-c", _file);
}
