using System.Text;
using Gateway.Codec.Types;
using Gateway.Tests.Http;
using Gateway.Tests.Rest;
using Gateway.Testing;

namespace Gateway.Tests.Services;

/// <summary>Clients of <c>/opcua</c> that take their answer slowly, or not at all (R10).</summary>
[Collection(OwnMetrics.Name)]
public sealed class SlowServiceTests
{
    [Fact]
    public async Task Read_ClientThatTakesNothing_ItsConnectionEndsAtWriteDeadline()
    {
        await using var gateway = await RestGateway.StartAsync("--Limits:WriteDeadline=00:00:01");
        gateway.Set("String", new Variant(new string('x', 4_000_000)));
        using var slow = await gateway.Host.ConnectAsync();
        slow.ReceiveBufferSize = 4096;
        const string Node = """{"NodeId":"nsu=urn:gateway:simulator;s=String","AttributeId":13}""";
        const string Body = "{\"NodesToRead\":[" + Node + "," + Node + "," + Node + "]}";
        await RunningGateway.SendAsync(
            slow, "POST /opcua/read HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
            $"Content-Length: {Encoding.UTF8.GetByteCount(Body)}\r\n" +
            $"Authorization: {gateway.Observer.DefaultRequestHeaders.Authorization}\r\n\r\n{Body}");

        await OwnMetrics.UntilAsync(gateway.Host, "gateway_http_answers_late_total", static late => late == 1);

        // The end of the connection, before the answer's.
        using var patience = new CancellationTokenSource(Patience.Limit);
        var taken = 0L;
        var buffer = new byte[65_536];
        await Assert.ThrowsAnyAsync<IOException>(async () =>
        {
            using var stream = new System.Net.Sockets.NetworkStream(slow);
            for (int count; (count = await stream.ReadAsync(buffer, patience.Token)) > 0;)
                taken += count;
            throw new EndOfStreamException();
        });
        Assert.InRange(taken, 1, 12_000_000);
    }
}
