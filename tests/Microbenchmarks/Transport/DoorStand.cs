using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Gateway.Admission;
using Gateway.Admission.Clients;
using Gateway.Admission.Door;
using Gateway.Admission.Stages;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;
using Gateway.Transport.Sockets;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging.Abstractions;
using TransportContext = Gateway.Transport.Hosting.TransportContext;

namespace Gateway.Microbenchmarks.Transport;

/// <summary>A listener with its door and no server behind it; the window is taken up by nobody, for ever.</summary>
internal sealed class DoorStand : IDisposable
{
    private readonly EventLoop _loop = new(0);
    private readonly TransportContext _context;
    private readonly SocketListener _listener;

    public DoorStand(AdmissionLimits limits, TransportLimits transport)
    {
        Admission = new AdmissionControl(limits, TimeProvider.System, true, handshakesPerSecond: 1);
        _context = new TransportContext(
            transport, new HttpLimits(), Admission,
            new PlantLateness(), TimeProvider.System, NullLoggerFactory.Instance, outgoing: 0);
        _listener = new SocketListener(new IPEndPoint(IPAddress.Loopback, 0), [_loop], _context, KernelAcceptor.Open);
        for (var i = 1; Admission.Window.HasRoom; i++)
            Admission.Door.Arrive(new Occupant(new IPAddress(i)));
    }

    public AdmissionControl Admission { get; }

    public IPEndPoint EndPoint => (IPEndPoint)_listener.EndPoint;

    /// <summary>CPU time of the door's thread, user and system, in ns. Source: proc(5), schedstat.</summary>
    public static long DoorNs()
    {
        foreach (var task in Directory.EnumerateDirectories("/proc/self/task"))
        {
            if (File.ReadAllText(Path.Combine(task, "comm")).Trim() == "ua-door")
                return long.Parse(
                    File.ReadAllText(Path.Combine(task, "schedstat")).Split(' ')[0], CultureInfo.InvariantCulture);
        }

        throw new InvalidOperationException("The door has no thread.");
    }

    /// <summary>Clients that connect, say HEL and read to the end, so many at a time.</summary>
    public void Refuse(int count, int atATime)
    {
        var bytes = new byte[256];
        for (var done = 0; done < count; done += atATime)
        {
            var sockets = new Socket[atATime];
            for (var i = 0; i < atATime; i++)
                sockets[i] = Connect();
            foreach (var socket in sockets)
            {
                ReadToEnd(socket, bytes);
                socket.Dispose();
            }
        }
    }

    /// <summary>Returns when so many wait.</summary>
    public void AwaitWaiting(int count)
    {
        if (!SpinWait.SpinUntil(() => Admission.Door.Waiting == count, TimeSpan.FromSeconds(30)))
            throw new TimeoutException("They do not wait as they should.");
    }

    /// <summary>One that was closed at once may meet its own HEL.</summary>
    private static void ReadToEnd(Socket socket, byte[] bytes)
    {
        try
        {
            while (socket.Receive(bytes) > 0)
            {
            }
        }
        catch (SocketException error) when (error.SocketErrorCode == SocketError.ConnectionReset)
        {
            return;
        }
    }

    public Socket Connect()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Connect(EndPoint);
        socket.Send("HELF\x38\0\0\0\0\0\0\0\0\0\x1\0\0\0\x1\0\0\0\0\0\0\0\0\0\x18\0\0\0opc.tcp://127.0.0.1:48400"u8);
        return socket;
    }

    public void Dispose()
    {
        _listener.DisposeAsync().AsTask().GetAwaiter().GetResult();
        _loop.Dispose();
        _context.Dispose();
    }

    private sealed class Occupant(IPAddress address) : DoorEntry(address)
    {
        public override void LetIn(ClientPass pass) => pass.OpenArrived();

        public override void Refuse(Decision decision)
        {
        }
    }
}
