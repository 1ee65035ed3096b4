using Gateway.Testing.Loopback;

namespace Gateway.Microbenchmarks.Server;

/// <summary>One server behind Kestrel for all benchmarks of the process.</summary>
internal static class ServerHost
{
    private static readonly Lazy<SocketServer> Started =
        new(() => SocketServer.StartAsync().GetAwaiter().GetResult());

    public static SocketServer Instance => Started.Value;
}
