using System.Net;
using System.Net.Sockets;
using Gateway.Interop.BadInput;
using Gateway.Testing;

namespace Gateway.Interop.Admission;

/// <summary>More idle HTTP connections than the process may have descriptors: it lives, its health paths answer, a UA
/// newcomer is served, and all descriptors come back (R41).</summary>
public sealed class HttpFloodTests
{

    /// <summary>Assemblies that it loads for the first request.</summary>
    private const int Slack = 24;

    /// <summary>The process itself holds some 250: two for each of its assemblies.</summary>
    [Theory]
    [InlineData(320, 600)]
    [InlineData(2_048, 2_600)]
    public async Task Gateway_MoreIdleHttpConnectionsThanDescriptors_LivesAndServes(int limit, int count)
    {
        await using AdmissionGateway gateway = await AdmissionGateway.StartAsync(limit, []);
        int pid = gateway.Process.ProcessId;
        using HttpClient health = Client(gateway.Process.HttpPort);
        await AssertHealthyAsync(health);
        int before = ProcessFacts.Descriptors(pid);

        List<RawPeer> peers = [];
        for (int i = 0; i < count; i++)
        {
            if (await ConnectAsync(gateway.Process.HttpPort) is { } peer)
                peers.Add(peer);
        }

        Assert.InRange(peers.Count, count / 4, count);
        await AssertHealthyAsync(health);
        Assert.InRange(ProcessFacts.Descriptors(pid), 1, limit - 1);
        await gateway.AssertServesInTheEndAsync();
        await AssertHealthyAsync(health);
        Assert.False(gateway.Process.HasEnded, gateway.Process.Output);
        foreach (RawPeer peer in peers)
            await peer.AssertEndedAsync();
        peers.ForEach(peer => peer.Dispose());
        await AssertBackAsync(pid, before + Slack);
    }

    /// <summary>Null: it was reset at once, as those beyond 500 refusals a second may be.</summary>
    private static async Task<RawPeer?> ConnectAsync(int port)
    {
        try
        {
            return await RawPeer.ConnectAsync(port, AdmissionGateway.AbuserAddress);
        }
        catch (SocketException error) when (error.SocketErrorCode == SocketError.ConnectionReset)
        {
            return null;
        }
    }

    private static async Task AssertHealthyAsync(HttpClient client)
    {
        foreach (string path in new[] { "/livez", "/readyz" })
        {
            using HttpResponseMessage answer = await client.GetAsync(new Uri(path, UriKind.Relative));
            Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        }
    }

    private static async Task AssertBackAsync(int pid, int most)
    {
        long since = TimeProvider.System.GetTimestamp();
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(50));
        while (ProcessFacts.Descriptors(pid) > most)
        {
            Assert.True(TimeProvider.System.GetElapsedTime(since) < Patience.Limit,
                $"{ProcessFacts.Descriptors(pid)} descriptors, more than {most}");
            await look.WaitForNextTickAsync();
        }
    }

    /// <summary>A new connection for each request, from an address of its own.</summary>
    private static HttpClient Client(int port) => new(new SocketsHttpHandler
    {
        PooledConnectionLifetime = TimeSpan.Zero,
        ConnectCallback = static async (to, cancellation) =>
        {
            Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            socket.Bind(new IPEndPoint(AdmissionGateway.GoodAddress, 0));
            await socket.ConnectAsync(to.DnsEndPoint, cancellation);
            return new NetworkStream(socket, ownsSocket: true);
        },
    })
    {
        BaseAddress = new Uri($"http://127.0.0.1:{port}"),
        Timeout = Patience.Limit,
    };
}
