using System.Net;
using System.Security.Cryptography.X509Certificates;
using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Interop.Gateways;
using Gateway.Testing;
using Gateway.Transport.Certificates;

namespace Gateway.Interop.Admission;

/// <summary>A demo gateway with limits of its own, and a good client with its own certificate and address, so that
/// what is done to an abuser's address is not done to it.</summary>
internal sealed class AdmissionGateway : IAsyncDisposable
{
    private const uint CurrentSessionCount = 2277;
    private const uint CurrentSubscriptionCount = 2285;

    private readonly TemporaryFolder folder;
    private readonly List<IDisposable> clients = [];
    private int certificates;

    private AdmissionGateway(TemporaryFolder folder, GatewayProcess process)
    {
        this.folder = folder;
        Process = process;
        Good = Client(GoodAddress);
    }

    public static IPAddress GoodAddress { get; } = IPAddress.Parse("127.0.0.2");

    public static IPAddress AbuserAddress { get; } = IPAddress.Parse("127.0.0.66");

    public GatewayProcess Process { get; }

    public UaClient Good { get; }

    /// <summary>One of many clients, each at a place of its own.</summary>
    public static IPAddress AddressOf(int number) => new([127, 0, 3, (byte)(number + 1)]);

    public static Task<AdmissionGateway> StartAsync(params string[] limits) => StartAsync(0, limits);

    public static async Task<AdmissionGateway> StartAsync(int descriptorLimit, string[] limits)
    {
        TemporaryFolder folder = new();
        GatewayProcess process = await GatewayProcess.StartAsync(folder, descriptorLimit,
        [
            "--demo", "--Simulator:Tags=100", "--Simulator:ChangesPerSecond=100", .. limits,
        ]);
        return new(folder, process);
    }

    /// <param name="folder">Owned from here on, as is the process.</param>
    /// <param name="process">Runs.</param>
    public static AdmissionGateway Of(TemporaryFolder folder, GatewayProcess process) => new(folder, process);

    /// <summary>Another application: a certificate of its own.</summary>
    public UaClient Client(IPAddress from, int sessionTimeoutSeconds = 60, bool expired = false)
    {
        TestCertificate files =
            TestCertificate.ForApplication(folder.Path, $"urn:interop:client:{++certificates}", expired);
        ApplicationCertificate certificate =
            new(X509Certificate2.CreateFromPemFile(files.CertificateFile, files.PrivateKeyFile));
        UaClient client = new(new ClientOptions
        {
            Certificate = certificate,
            CertificateValidator = new TrustingValidator(),
            LocalAddress = from,
            ConnectTimeout = Patience.Limit,
            RequestTimeout = Patience.Limit,
            SessionTimeout = TimeSpan.FromSeconds(sessionTimeoutSeconds),
        });
        clients.AddRange([client, certificate]);
        return client;
    }

    public ValueTask<ClientSession> OpenAsync(UaClient client, ClientIdentity? identity = null) =>
        client.ConnectAsync(new ConnectSettings
        {
            EndpointUrl = Process.EndpointUrl,
            SecurityPolicyUri = "http://opcfoundation.org/UA/SecurityPolicy#Basic256Sha256",
            SecurityMode = MessageSecurityMode.SignAndEncrypt,
            Identity = identity ?? ClientIdentity.Anonymous,
        });

    /// <summary>A good client is served: session, Read, and in order out again.</summary>
    public async Task AssertServesAsync()
    {
        await using ClientSession session = await OpenAsync(Good);
        Assert.True(await ReadAsync(session, CurrentSessionCount) >= 1);
    }

    /// <summary>The same by a client that comes again when it is refused.</summary>
    public Task AssertServesInTheEndAsync() => ComeAgainAsync(async () =>
    {
        await AssertServesAsync();
        return true;
    });

    /// <summary>A session of a client that comes again when it is refused.</summary>
    public Task<ClientSession> OpenInTheEndAsync(UaClient client) => ComeAgainAsync(() => OpenAsync(client).AsTask());

    public async Task<Levels> LevelsAsync(ClientSession session) => new(
        ProcessFacts.Descriptors(Process.ProcessId),
        await ReadAsync(session, CurrentSessionCount),
        await ReadAsync(session, CurrentSubscriptionCount));

    /// <summary>Fails when the gateway holds more than this after half a minute.</summary>
    public async Task AssertBackAsync(ClientSession session, Levels before)
    {
        long since = TimeProvider.System.GetTimestamp();
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(50));
        Levels now;
        while (!(now = await LevelsAsync(session)).IsAtMost(before))
        {
            Assert.True(TimeProvider.System.GetElapsedTime(since) < Patience.Limit, $"{before} before, {now} after");
            await look.WaitForNextTickAsync();
        }
    }

    public async Task<RawSession> RawAsync(
        HandshakeState state, IPAddress? from = null, double sessionTimeoutMs = RawSession.LongTimeoutMs)
    {
        RawSession raw = await RawSession.ConnectAsync(Process, from ?? AbuserAddress);
        try
        {
            Assert.True(await raw.GoToAsync(state, sessionTimeoutMs));
            return raw;
        }
        catch
        {
            raw.Dispose();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        clients.ForEach(client => client.Dispose());
        await Process.DisposeAsync();
        folder.Dispose();
    }

    private async Task<T> ComeAgainAsync<T>(Func<Task<T>> come)
    {
        long since = TimeProvider.System.GetTimestamp();
        while (true)
        {
            try
            {
                return await come();
            }
            catch (ServiceException refused)
            {
                bool isLate = TimeProvider.System.GetElapsedTime(since) > Patience.Limit;
                Assert.False(isLate || Process.HasEnded, $"{refused.Message}\n{Process.Output}");
                using PeriodicTimer pause = new(refused.RetryAfter ?? TimeSpan.FromMilliseconds(200));
                await pause.WaitForNextTickAsync();
            }
        }
    }

    private static async Task<long> ReadAsync(ClientSession session, uint node)
    {
        ReadResponse response = await session.InvokeAsync<ReadRequest, ReadResponse>(new ReadRequest
        {
            NodesToRead = [new ReadValueId { NodeId = new NodeId(node), AttributeId = (uint)AttributeId.Value }],
        });
        return response.Results![0].Value.AsInt64();
    }
}
