using BenchmarkDotNet.Attributes;
using Gateway.Codec.Structures;
using Gateway.Microbenchmarks.Tables;
using Gateway.Transport.Security;

namespace Gateway.Microbenchmarks.Server;

/// <summary>What a client asks before it can know the server's certificate.</summary>
[MemoryDiagnoser]
[Table(85, "Discovery",
    "TCP connection, HEL, OPN of policy None, GetEndpoints (7 endpoints with their certificates), CLO, until the " +
    "server has let go of everything. The published figure is for client and server together and a whole connect " +
    "behind the discovery.", CountsServer = true)]
public class DiscoveryBenchmarks
{
    [Benchmark]
    [Published("3.2 MB, client and server")]
    public int Discover()
    {
        int count;
        using (var client = ServerHost.Instance.Connect())
        {
            client.Open(SecurityPolicies.None, MessageSecurityMode.None);
            count = client.GetEndpoints().Length;
        }

        ServerHost.Instance.AwaitConnections(0);
        return count;
    }
}
