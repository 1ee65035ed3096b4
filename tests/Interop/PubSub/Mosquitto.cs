using Gateway.Interop.Scripts;
using Gateway.Loadtest.Machine;
using Gateway.Testing;

namespace Gateway.Interop.PubSub;

/// <summary>A mosquitto of this test, on a loopback port of its own. It keeps sessions over its end, so that a
/// subscriber misses nothing either.</summary>
internal sealed class Mosquitto : IAsyncDisposable
{
    private const string Running = " running";

    private readonly string file;
    private readonly Lock waiterLock = new();
    private TaskCompletionSource? waiter;
    private string awaited = "";
    private ChildProcess? process;

    private Mosquitto(string file, int port) => (this.file, Port) = (file, port);

    public int Port { get; }

    public static async Task<Mosquitto> StartAsync(TemporaryFolder folder)
    {
        PeerRequirement.Demand(PeerProgram.Mosquitto);
        int port = FreePort.Next();
        string home = folder.Sub("broker");
        string[] lines =
        [
            $"listener {port} 127.0.0.1", "allow_anonymous true", "persistence true", $"persistence_location {home}/",
            "autosave_on_changes true", "autosave_interval 1", "max_queued_messages 0", "log_dest stderr",
            "log_type all",
            // It would change to a user who cannot read the test's folder.
            Environment.UserName == "root" ? "user root" : "",
        ];
        string file = Path.Combine(home, "mosquitto.conf");
        await File.WriteAllLinesAsync(file, lines);
        Mosquitto broker = new(file, port);
        await broker.StartAsync();
        return broker;
    }

    /// <summary>Again on the same port, after its end.</summary>
    public async Task StartAsync()
    {
        Task running = ExpectAsync(Running);
        // Its standard output stays in its buffer.
        process = new(new("sh", ["-c", "exec \"$0\" -c \"$1\" 2>&1", MosquittoProgram.Broker, file]), TakeLine);
        await running;
    }

    /// <summary>mosquitto_sub on all of the gateway's topics, once it is subscribed; its session survives it.</summary>
    public async Task<Subscriber> SubscribeAsync(string id = "sub")
    {
        Task subscribed = ExpectAsync("Sending SUBACK to " + id);
        Subscriber subscriber = new(Port, id);
        await subscribed;
        return subscriber;
    }

    /// <summary>It may lose the last of what it has acknowledged: for tests that do not follow each message.</summary>
    public Task KillAsync() => process!.KillAsync();

    /// <summary>In order: it saves all that it has acknowledged, and leaves its clients without a word.</summary>
    public Task StopAsync() => process!.StopAsync();

    /// <summary>Its sockets stay open, and it does nothing.</summary>
    public void Freeze() => process!.Freeze();

    public void Thaw() => process!.Thaw();

    public async ValueTask DisposeAsync()
    {
        if (process is not null)
            await process.DisposeAsync();
    }

    private Task ExpectAsync(string part)
    {
        lock (waiterLock)
        {
            awaited = part;
            waiter = new(TaskCreationOptions.RunContinuationsAsynchronously);
            return waiter.Task.WaitAsync(Patience.Limit);
        }
    }

    private void TakeLine(string line)
    {
        lock (waiterLock)
        {
            if (waiter is not null && line.Contains(awaited, StringComparison.Ordinal))
                waiter.TrySetResult();
        }
    }
}
