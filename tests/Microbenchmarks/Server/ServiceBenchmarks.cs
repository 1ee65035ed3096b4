using BenchmarkDotNet.Attributes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Microbenchmarks.Tables;
using Gateway.Testing.Loopback;

namespace Gateway.Microbenchmarks.Server;

/// <summary>Requests in the steady state over a loopback socket.</summary>
[MemoryDiagnoser]
[Table(90, "Services",
    "One request and its answer over a loopback socket through Kestrel: the time is the round trip with two system " +
    "calls each way and the client's half of the encryption.", CountsServer = true)]
public class ServiceBenchmarks
{
    private WireClient? _client;
    private byte[] _readOne = [];
    private byte[] _readHundred = [];
    private byte[] _writeOne = [];
    private byte[] _browse = [];

    [Params("None", "Basic256Sha256/SignAndEncrypt")]
    public string Policy { get; set; } = "None";

    [GlobalSetup]
    public void Setup()
    {
        var (policy, mode) = PolicyText.Parse(Policy);
        _client = ServerHost.Instance.Connect();
        _client.Open(policy, mode);
        _client.CreateSession();
        _client.Activate();
        _readOne = _client.Encode(Read(1));
        _readHundred = _client.Encode(Read(LoopbackParts.TagCount));
        _writeOne = _client.Encode(new WriteRequest
        {
            NodesToWrite =
            [
                new WriteValue
                {
                    NodeId = new NodeId(1, 1),
                    AttributeId = (uint)AttributeId.Value,
                    Value = new DataValue(new Variant(1.5)),
                },
            ],
        });
        _browse = _client.Encode(new BrowseRequest
        {
            NodesToBrowse =
            [
                new BrowseDescription
                {
                    NodeId = new NodeId(85),
                    ReferenceTypeId = new NodeId(33),
                    IncludeSubtypes = true,
                    ResultMask = 63,
                },
            ],
        });
    }

    [GlobalCleanup]
    public void Cleanup()
    {
        _client?.CloseSession();
        _client?.Dispose();
        ServerHost.Instance.AwaitConnections(0);
    }

    [Benchmark]
    public int ReadOneValue() => _client!.Exchange(_readOne).Length;

    [Benchmark]
    public int ReadHundredValues() => _client!.Exchange(_readHundred).Length;

    [Benchmark]
    public int WriteOneValue() => _client!.Exchange(_writeOne).Length;

    [Benchmark]
    public int BrowseHundredReferences() => _client!.Exchange(_browse).Length;

    private static ReadRequest Read(int count) => new()
    {
        TimestampsToReturn = TimestampsToReturn.Both,
        NodesToRead = [.. Enumerable.Range(1, count).Select(
            i => new ReadValueId { NodeId = new NodeId((uint)i, 1), AttributeId = (uint)AttributeId.Value })],
    };
}
