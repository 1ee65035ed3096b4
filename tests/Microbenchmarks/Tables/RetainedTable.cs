using System.Net;
using System.Net.Sockets;
using Gateway.Admission;
using Gateway.Codec.Structures;
using Gateway.Microbenchmarks.Publish;
using Gateway.Microbenchmarks.Server;
using Gateway.Microbenchmarks.Transport;
using Gateway.Testing.Loopback;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;

namespace Gateway.Microbenchmarks.Tables;

/// <summary>What one more of a thing keeps on the managed heap as long as it lives.</summary>
internal static class RetainedTable
{
    public const string Title = "What one more holds";

    public const string Note =
        "Managed memory that stays with the thing, after a full collection, by differences over many of them. " +
        "Connections lie idle, their client is the bare socket whose own share is taken off; what OpenSSL and the " +
        "kernel hold beside it is not in it, resident memory in [performance.md](performance.md) is the sum of all.";

    private const int Connections = 500;
    private const int Sessions = 2_000;
    private const int ItemsASession = 1_000;
    private const int ItemSessions = 100;

    public static MarkdownTable Run(Action<string> progress)
    {
        var table = new MarkdownTable(["One more"], ["Bytes"]);
        void Add(string name, double bytes)
        {
            progress(name);
            table.Add([name, MarkdownTable.Bytes(bytes)]);
        }

        var bare = BareSocket();
        Add("connection that waits at the door", Waiting() - bare);
        Add("connection that said HEL and nothing", SilentAfterHello() - bare);
        foreach (var text in new[] { "None", "Basic256Sha256/SignAndEncrypt" })
        {
            var (policy, mode) = PolicyText.Parse(text);
            Add($"connection with its SecureChannel, {text}", Connection(policy, mode, withSession: false) - bare);
            Add($"the same with an active session", Connection(policy, mode, withSession: true) - bare);
        }

        Add("subscription (and its session's share of the publish engine)", Subscription());
        Add("monitored item, queue size 1", Item(1));
        Add("monitored item, queue size 10, queue not filled", Item(10));
        return table;
    }

    private static double Connection(SecurityPolicy policy, MessageSecurityMode mode, bool withSession)
    {
        var server = ServerHost.Instance;
        return Held(Connections, _ =>
        {
            var wire = new SocketWire(server.EndPoint);
            var client = new WireClient(wire, server.Parts.Client, server.Parts.Certificate);
            client.Open(policy, mode);
            if (withSession)
            {
                client.CreateSession();
                client.Activate();
            }

            return wire;
        }, () => server.AwaitConnections(0));
    }

    private static double BareSocket()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start(Connections + 20);
        return HeldOnce(Connections, _ => new SocketWire((IPEndPoint)listener.LocalEndpoint), static () => { });
    }

    private static double Waiting()
    {
        using var stand = new DoorStand(
            new AdmissionLimits { DoorPatience = TimeSpan.FromMinutes(10) }, new TransportLimits());
        return Held(Connections, _ => stand.Connect(), () => stand.AwaitWaiting(0));
    }

    private static double SilentAfterHello()
    {
        var server = ServerHost.Instance;
        return Held(Connections, _ =>
        {
            var wire = new SocketWire(server.EndPoint);
            new WireClient(wire, server.Parts.Client, server.Parts.Certificate).Greet();
            return wire;
        }, () => server.AwaitConnections(0));
    }

    private static double Subscription()
    {
        using var plant = new PublishPlant(1);
        return Held(Sessions, _ =>
        {
            plant.AddSession(0, static _ => 1);
            return null;
        }, static () => { });
    }

    private static double Item(uint queueSize)
    {
        using var plant = new PublishPlant(ItemsASession);
        var perSession = Held(ItemSessions, _ =>
        {
            plant.AddSession(ItemsASession, static i => (uint)i + 1, queueSize);
            return null;
        }, static () => { });
        return perSession / ItemsASession;
    }

    /// <summary>The median of three: tables that double are in some tries.</summary>
    private static double Held(int count, Func<int, IDisposable?> make, Action ended)
    {
        Span<double> tries = [HeldOnce(count, make, ended), HeldOnce(count, make, ended), HeldOnce(count, make, ended)];
        tries.Sort();
        return tries[1];
    }

    private static double HeldOnce(int count, Func<int, IDisposable?> make, Action ended)
    {
        var kept = new List<IDisposable?>(count + 20);
        for (var i = 0; i < 20; i++)
            kept.Add(make(i));
        var before = SettledBytes();
        for (var i = 0; i < count; i++)
            kept.Add(make(i));
        var after = SettledBytes();
        foreach (var one in kept)
            one?.Dispose();
        ended();
        return (after - before) / (double)count;
    }

    /// <summary>What has a finalizer is gone only after the collection behind it.</summary>
    private static long SettledBytes()
    {
        for (var i = 0; i < 3; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        return GC.GetTotalMemory(forceFullCollection: true);
    }
}
