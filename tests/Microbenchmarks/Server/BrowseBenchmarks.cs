using BenchmarkDotNet.Attributes;
using Gateway.Microbenchmarks.Tables;
using Gateway.Testing.Loopback;

namespace Gateway.Microbenchmarks.Server;

/// <summary>The whole standard address space by one client.</summary>
[MemoryDiagnoser]
[Table(95, "The whole address space browsed",
    "Every hierarchical reference forward from Root, level by level, all fields of each reference, by one client " +
    "over a loopback socket: *NodeByNode*: one Browse a node, as the " +
    "usual recursive browser does; *InBatches*: 500 nodes a Browse; *ByBrowseNext*: one Browse a node and at most " +
    "ten references an answer, the rest by BrowseNext. The client decodes every reference within the time.",
    CountsServer = true)]
public class BrowseBenchmarks
{
    private WireClient? _client;
    private AddressSpaceWalk? _walk;

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
        _walk = new AddressSpaceWalk(_client);
    }

    [GlobalCleanup]
    public void Cleanup()
    {
        _client?.CloseSession();
        _client?.Dispose();
        ServerHost.Instance.AwaitConnections(0);
    }

    [Benchmark]
    [Published("213 ms")]
    public int NodeByNode() => _walk!.Run(1, 0);

    [Benchmark]
    public int InBatches() => _walk!.Run(500, 0);

    [Benchmark]
    public int ByBrowseNext() => _walk!.Run(1, 10);

    public override string ToString() => $"Found: {_walk}.";
}
