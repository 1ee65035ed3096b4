using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using Gateway.Testing;
using Gateway.Tests.Rest;
using Gateway.Transport.Hosting;

namespace Gateway.Tests.Management;

/// <summary><c>POST /pubsub/test</c>: each step of a connection to a broker that is not configured. The brokers answer
/// the first packet with the bytes of a CONNACK. Source: MQTT 5.0 §3.2.</summary>
[Collection(RestFixture.Name)]
public sealed class BrokerTrialTests(RestFixture fixture)
{
    private const string Path = "/api/v1/pubsub/test";

    private readonly RestGateway _gateway = fixture.Gateway;

    [Theory]
    [InlineData("2003000000", "reach ok", "tls skipped", "login ok", "limits ok")]
    [InlineData("20050000022400", "reach ok", "tls skipped", "login ok", "limits fault")]
    [InlineData("20050000022500", "reach ok", "tls skipped", "login ok", "limits fault")]
    [InlineData("2003008600", "reach ok", "tls skipped", "login fault", "limits skipped")]
    [InlineData("48545450", "reach ok", "tls skipped", "login fault", "limits skipped")]
    public async Task Try_BrokerThatAnswers_EachStepByWhatItSaid(string answer, params string[] steps)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var broker = AnswerAsync(listener, Convert.FromHexString(answer));

        var result = await TryAsync($$"""{"address":"mqtt://{{listener.LocalEndpoint}}"}""");

        await broker;
        Assert.Equal(steps, StepsOf(result));
        Assert.Equal(steps.All(static one => !one.EndsWith("fault", StringComparison.Ordinal)), IsOk(result));
    }

    [Theory]
    [InlineData("2003008600", "Check User and Password")]
    [InlineData("2003008400", "the other MqttVersion")]
    [InlineData("2003008500", "set ClientId")]
    [InlineData("20050000022400", "set Qos to 0")]
    [InlineData("20050000022500", "retained messages")]
    [InlineData("48545450", "mqtts://")]
    public async Task Try_BrokerThatSaysNo_TellsTheRemedy(string answer, string remedy)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var broker = AnswerAsync(listener, Convert.FromHexString(answer));

        var result = await TryAsync(
            $$"""{"address":"mqtt://{{listener.LocalEndpoint}}","user":"gateway","password":"horse"}""");

        await broker;
        Assert.Contains(remedy, FaultOf(result).GetProperty("remedy").GetString(), StringComparison.Ordinal);
        Assert.DoesNotContain("horse", result.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Try_NobodyThere_FailsAtTheFirstStep()
    {
        var result = await TryAsync("""{"address":"mqtt://127.0.0.1:1"}""");

        Assert.Equal(["reach fault", "tls skipped", "login skipped", "limits skipped"], StepsOf(result));
    }

    /// <summary>The listener of UA-TCP does not speak TLS.</summary>
    [Fact]
    public async Task Try_NoTlsThere_TlsIsAtFault()
    {
        var port = _gateway.Host.Get<UaTcpOptions>().EndPoint.Port;

        var result = await TryAsync($$"""{"address":"mqtts://127.0.0.1:{{port}}"}""");

        Assert.Equal("tls", FaultOf(result).GetProperty("step").GetString());
    }

    [Theory]
    [InlineData("""{"address":"http://127.0.0.1"}""")]
    [InlineData("""{"address":"opc.udp://127.0.0.1:4840"}""")]
    [InlineData("""{"address":"mqtt://127.0.0.1","mqttVersion":"2"}""")]
    [InlineData("""{"address":"mqtt://192.0.2.1","user":"a","password":"in clear text"}""")]
    [InlineData("""{"address":"mqtts://127.0.0.1","caPath":"no-such-file.pem"}""")]
    [InlineData("""{"address":"mqtts://127.0.0.1","caPath":"/dev/zero"}""")]
    [InlineData("""{"address":5}""")]
    [InlineData("""{"user":"a"}""")]
    [InlineData("[]")]
    public async Task Try_NoAddress_400(string body)
    {
        var (status, answer) = await RestGateway.SendAsync(_gateway.Engineer, HttpMethod.Post, Path, body);

        Assert.Equal(400, status);
        Assert.Equal("BadInvalidArgument", answer.GetProperty("statusCode").GetString());
    }

    [Fact]
    public async Task Try_WithoutTheRole_403()
    {
        foreach (var user in new[] { _gateway.Observer, _gateway.Operator, _gateway.SecurityAdmin })
        {
            var (status, _) = await RestGateway.SendAsync(
                user, HttpMethod.Post, Path, """{"address":"mqtt://127.0.0.1:1"}""");
            Assert.Equal(403, status);
        }
    }

    private static async Task AnswerAsync(TcpListener listener, byte[] answer)
    {
        using var client = await listener.AcceptSocketAsync().WaitAsync(Patience.Limit);
        var bytes = new byte[4096];
        Assert.True(await client.ReceiveAsync(bytes).WaitAsync(Patience.Limit) > 0);
        await client.SendAsync(answer);
        client.Shutdown(SocketShutdown.Send);
        // Until the gateway has closed, by either way.
        try
        {
            while (await client.ReceiveAsync(bytes).WaitAsync(Patience.Limit) > 0)
            {
            }
        }
        catch (SocketException)
        {
            // It is gone.
        }
    }

    private async Task<JsonElement> TryAsync(string body)
    {
        var (status, answer) = await RestGateway.SendAsync(_gateway.Engineer, HttpMethod.Post, Path, body);
        Assert.Equal(200, status);
        return answer;
    }

    private static bool IsOk(JsonElement answer) => answer.GetProperty("ok").GetBoolean();

    private static JsonElement FaultOf(JsonElement answer) => answer.GetProperty("steps").EnumerateArray()
        .Single(static one => one.GetProperty("state").GetString() == "fault");

    private static List<string> StepsOf(JsonElement answer) =>
    [
        .. answer.GetProperty("steps").EnumerateArray().Select(static one =>
            $"{one.GetProperty("step").GetString()} {one.GetProperty("state").GetString()}"),
    ];
}
