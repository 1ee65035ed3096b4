using BenchmarkDotNet.Attributes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Microbenchmarks.Tables;
using Gateway.Testing.Loopback;
using Gateway.Transport.Security;

namespace Gateway.Microbenchmarks.Server;

/// <summary>Sessions from the connection to its end, client and server in one process.</summary>
[MemoryDiagnoser]
[Table(80, "Sessions",
    "Over a loopback socket through Kestrel, endpoints known. *CreateAndClose*: TCP connection, HEL, OPN, " +
    "CreateSession, ActivateSession (anonymous), CloseSession, CLO, until the server has let go of everything; " +
    "*LifecycleWithRead*: the same with a Read of one value in between; *SessionOnOpenChannel*: CreateSession, " +
    "ActivateSession and CloseSession alone. The time is that of both sides one after the other, RSA operations of " +
    "the client among it.", CountsServer = true)]
public class SessionBenchmarks
{
    private readonly ReadRequest _read = new()
    {
        NodesToRead = [new ReadValueId { NodeId = new NodeId(1, 1), AttributeId = (uint)AttributeId.Value }],
    };

    private SecurityPolicy _policy = SecurityPolicies.None;
    private MessageSecurityMode _mode;
    private WireClient? _open;

    [Params("None", "Basic256Sha256/Sign", "Basic256Sha256/SignAndEncrypt", "Aes128_Sha256_RsaOaep/SignAndEncrypt",
        "Aes256_Sha256_RsaPss/SignAndEncrypt")]
    public string Policy { get; set; } = "None";

    [GlobalSetup]
    public void Setup()
    {
        (_policy, _mode) = PolicyText.Parse(Policy);
        _open = ServerHost.Instance.Connect();
        _open.Open(_policy, _mode);
    }

    [GlobalCleanup]
    public void Cleanup()
    {
        _open?.Dispose();
        ServerHost.Instance.AwaitConnections(0);
    }

    [Benchmark]
    public void CreateAndClose() => Live(reads: false);

    [Benchmark]
    public void LifecycleWithRead() => Live(reads: true);

    [Benchmark]
    public void SessionOnOpenChannel()
    {
        _open!.CreateSession();
        _open.Activate();
        _open.CloseSession();
    }

    private void Live(bool reads)
    {
        using (var client = ServerHost.Instance.Connect())
        {
            client.Open(_policy, _mode);
            client.CreateSession();
            client.Activate();
            if (reads)
                client.Call<ReadRequest, ReadResponse>(_read);
            client.CloseSession();
        }

        ServerHost.Instance.AwaitConnections(1);
    }
}
