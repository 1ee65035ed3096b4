using System.Net;
using System.Net.Sockets;
using System.Text;
using Gateway.Admission;
using Gateway.Admission.Door;
using Gateway.Codec.Types;
using Gateway.Rest.Sockets;
using Gateway.Tests.Clock;
using Gateway.Tests.Http;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Sockets;

/// <summary>Peers that take nothing of what they asked for (R10). The sender of an answer and the transport below it
/// look at the same deadline, and either may be the first to end the connection: it is counted alike.</summary>
[Collection(OwnMetrics.Name)]
public sealed class StalledPeerTests
{
    private const string Late = "gateway_http_answers_late_total";
    private const string Watch = """{"op":"subscribe","nodes":["ns=2;s=String"],"interval":10}""";

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Watcher_ThatTakesNothing_EndsLate(bool byTransport)
    {
        await using var gateway = await StartAsync(byTransport);
        using var peer = await AskAsync(
            gateway, "GET /api/v1/ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n");
        await RunningGateway.ReadAsync(peer, "\r\n\r\n");
        byte[] header = [0x81, (byte)(0x80 | Watch.Length), 0, 0, 0, 0];
        await peer.SendAsync((byte[])[.. header, .. Encoding.ASCII.GetBytes(Watch)]);

        var ended = EndAsync(gateway, byTransport);
        var book = gateway.Host.Get<SocketCounters>();
        var all = Enum.GetValues<SocketEnd>();
        var changes = 0;
        // Soon more than sockets hold.
        await Condition.UntilAsync(() =>
        {
            gateway.Set("String", new Variant(++changes + new string('x', 4_000_000)));
            return all.Any(one => book.EndedBy(one) > 0);
        });
        await ended;
        Assert.Equal([SocketEnd.Late], all.Where(one => book.EndedBy(one) > 0));
        await AssertIsCountedOnceAsync(gateway);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Reader_ThatTakesNothing_EndsLate(bool byTransport)
    {
        await using var gateway = await StartAsync(byTransport);
        var path = RestGateway.Query("/api/v1/values", [.. Enumerable.Repeat("ns=2;s=String", 4)]);
        using var peer = await AskAsync(
            gateway, $"GET {path} HTTP/1.1\r\nHost: localhost\r\n" +
            $"Authorization: {gateway.Observer.DefaultRequestHeaders.Authorization}\r\n\r\n");

        await EndAsync(gateway, byTransport);

        await AssertIsCountedOnceAsync(gateway);
    }

    private static async Task<RestGateway> StartAsync(bool byTransport)
    {
        var deadline = byTransport ? "00:10:00" : "00:00:01";
        var gateway = await RestGateway.StartAsync($"--Limits:WriteDeadline={deadline}");
        gateway.Set("String", new Variant(new string('x', 4_000_000)));
        return gateway;
    }

    private static async Task<Socket> AskAsync(RestGateway gateway, string request)
    {
        var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        peer.ReceiveBufferSize = 4096;
        await peer.ConnectAsync(IPAddress.Loopback, gateway.Host.Client.BaseAddress!.Port);
        await RunningGateway.SendAsync(peer, request);
        return peer;
    }

    /// <summary>The transport's own look is at a real clock; so its verdict is given here.</summary>
    private static async Task EndAsync(RestGateway gateway, bool byTransport)
    {
        if (!byTransport)
            return;
        await OwnMetrics.UntilAsync(gateway.Host, "gateway_http_answers_bytes", static held => held > 0);
        var door = gateway.Host.Get<AdmissionControl>().Http;
        var busy = new List<HttpPlace>();
        // The scrape's own connection is busy for a moment longer.
        await Condition.UntilAsync(() =>
        {
            busy.Clear();
            door.Pages.Read(0, 10, busy);
            busy.RemoveAll(static one => one.IdleSince != 0);
            return busy.Count == 1;
        });
        var place = busy[0];
        door.TakesNothing(place);
        door.EndNow(place.Serial, place.Number);
    }

    private static async Task AssertIsCountedOnceAsync(RestGateway gateway)
    {
        await OwnMetrics.UntilAsync(gateway.Host, Late, static late => late > 0);
        Assert.Equal(1, await OwnMetrics.ReadAsync(gateway.Host, Late));
    }
}
