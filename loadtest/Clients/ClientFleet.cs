using System.Net;
using Gateway.Client;
using Gateway.Transport.Hosting;

namespace Gateway.Loadtest.Clients;

/// <summary>
/// Many applications in one process: each with a source address and a certificate of its own, all on one timer and one
/// transport. Its transport gives up nothing by itself: how patient a client is, is its own affair. Awaiting code runs
/// on the thread pool, so that a client's crypto holds up no socket. Threads: any.
/// </summary>
internal sealed class ClientFleet : IDisposable
{
    private static readonly TimeSpan Never = TimeSpan.FromHours(1);

    private readonly AcceptAll _validator = new();
    private readonly Transport.Hosting.TransportContext _transport = Transport.Hosting.TransportContext.Standalone(
        new TransportLimits
        {
            HelloDeadline = Never,
            OpenDeadline = Never,
            PrivateKeyDeadline = Never,
            MaxPrivateKeyQueueLength = 1_000_000,
        },
        TimeProvider.System);

    private readonly SessionFactory _sessions;
    private readonly CertificateSet _certificates;
    private readonly byte _network;
    private readonly bool _spreads;
    private readonly UaClient _first;

    /// <param name="sessions">Knows the server.</param>
    /// <param name="certificates">Belong to the caller.</param>
    /// <param name="network">The second byte of the source addresses, 127.network.x.y, on loopback.</param>
    public ClientFleet(SessionFactory sessions, CertificateSet certificates, byte network)
    {
        _sessions = sessions;
        _certificates = certificates;
        _network = network;
        _spreads = RunOptions.IsLoopback(sessions.Url);
        _first = new UaClient(OptionsOf(0, 0));
    }

    /// <param name="address">From 0; one number, one source address (a server elsewhere sees only one).</param>
    /// <param name="certificate">Its number in the set.</param>
    public UaClient NewClient(int address, int certificate) => _first.With(OptionsOf(address, certificate));

    /// <summary>TCP, HEL, OPN, CreateSession, ActivateSession. Errors: ServiceException, and
    /// OperationCanceledException before the channel is open.</summary>
    public ValueTask<ClientSession> ConnectAsync(UaClient client, CancellationToken cancellation) =>
        client.ConnectAsync(_sessions.Endpoint, _sessions.Settings(), cancellation);

    public void Dispose()
    {
        _first.Dispose();
        _transport.Dispose();
    }

    private ClientOptions OptionsOf(int address, int certificate) => new()
    {
        ApplicationName = "Gateway loadtest",
        Certificate = _certificates[certificate],
        CertificateValidator = _validator,
        TransportContext = _transport,
        LocalAddress = _spreads ? AddressOf(_network, address) : null,
        ConnectTimeout = Never,
        RequestTimeout = TimeSpan.FromSeconds(60),
        SessionTimeout = TimeSpan.FromMinutes(2),
        KeepAliveInterval = TimeSpan.FromSeconds(30),
    };

    private static IPAddress AddressOf(byte network, int number) =>
        new([127, network, (byte)(number / 250 % 250), (byte)((number % 250) + 1)]);
}
