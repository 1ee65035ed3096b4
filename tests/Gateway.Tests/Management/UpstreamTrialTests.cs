using System.Net;
using System.Net.Http.Json;
using System.Net.Sockets;
using System.Text.Json;
using Gateway.Server;
using Gateway.Server.Audit;
using Gateway.Testing;
using Gateway.Tests.Clock;
using Gateway.Tests.Rest;
using Gateway.Transport.Hosting;

namespace Gateway.Tests.Management;

/// <summary><c>POST /upstreams/test</c>: each step of a connection that is not configured.</summary>
[Collection(RestFixture.Name)]
public sealed class UpstreamTrialTests(RestFixture fixture)
{
    private readonly RestGateway _gateway = fixture.Gateway;

    /// <summary>The server is the gateway itself.</summary>
    [Fact]
    public async Task Try_ServerThatLetsIn_EachStepIsOk()
    {
        var port = _gateway.Host.Get<UaTcpOptions>().EndPoint.Port;

        var answer = await TryAsync($$"""{"endpointUrl":"opc.tcp://127.0.0.1:{{port}}","securityPolicy":"None"}""");

        Assert.True(answer.GetProperty("ok").GetBoolean(), answer.ToString());
        Assert.Equal(
            ["reach ok", "security ok", "certificate skipped", "session ok", "user ok", "read ok"], StepsOf(answer));
    }

    [Fact]
    public async Task Try_NobodyThere_SaysWhereAndWhatToDo()
    {
        var answer = await TryAsync("""{"endpointUrl":"opc.tcp://127.0.0.1:1"}""");

        Assert.False(answer.GetProperty("ok").GetBoolean());
        var first = answer.GetProperty("steps")[0];
        Assert.Equal("fault", first.GetProperty("state").GetString());
        Assert.Contains("Check EndpointUrl", first.GetProperty("remedy").GetString(), StringComparison.Ordinal);
        Assert.All(StepsOf(answer).Skip(1), static one => Assert.EndsWith("skipped", one, StringComparison.Ordinal));
    }

    /// <summary>The gateway's own certificate is not among those that it trusts.</summary>
    [Fact]
    public async Task Try_UntrustedServer_TheCertificateIsAtFault()
    {
        var port = _gateway.Host.Get<UaTcpOptions>().EndPoint.Port;

        var answer = await TryAsync($$"""{"endpointUrl":"opc.tcp://127.0.0.1:{{port}}"}""");

        var fault = answer.GetProperty("steps").EnumerateArray()
            .Single(one => one.GetProperty("state").GetString() == "fault");
        Assert.Equal("certificate", fault.GetProperty("step").GetString());
        Assert.True(fault.TryGetProperty("remedy", out _));
    }

    /// <summary>Else nobody would see a search through the plant's network (R29).</summary>
    [Fact]
    public async Task Try_ClientLeavesMeanwhile_IsAudited()
    {
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        var before = Audited;
        using var leave = new CancellationTokenSource();
        using var body = JsonContent.Create(new { endpointUrl = $"opc.tcp://{silent.LocalEndpoint}" });
        var trial = _gateway.Engineer.PostAsync("/api/v1/upstreams/test", body, leave.Token);
        using var peer = await silent.AcceptTcpClientAsync().WaitAsync(Patience.Limit);

        await leave.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => trial);
        await Condition.UntilAsync(() => Audited > before);
    }

    private long Audited => _gateway.Host.Get<GatewayServer>().Counters.Audited(AuditEvent.UpstreamTested);

    [Theory]
    [InlineData("""{"endpointUrl":"http://127.0.0.1"}""")]
    [InlineData("""{"endpointUrl":"opc.tcp://127.0.0.1","securityMode":"Loud"}""")]
    [InlineData("""{"endpointUrl":5}""")]
    [InlineData("""{"endpointUrl":""}""")]
    [InlineData("[]")]
    [InlineData("no json")]
    public async Task Try_NoAddress_400(string body)
    {
        var (status, answer) = await RestGateway.SendAsync(
            _gateway.Engineer, HttpMethod.Post, "/api/v1/upstreams/test", body);

        Assert.Equal(400, status);
        Assert.Equal("BadInvalidArgument", answer.GetProperty("statusCode").GetString());
    }

    [Fact]
    public async Task Try_WithoutTheRole_403()
    {
        foreach (var user in new[] { _gateway.Observer, _gateway.Operator, _gateway.SecurityAdmin })
        {
            var (status, _) = await RestGateway.SendAsync(
                user, HttpMethod.Post, "/api/v1/upstreams/test", """{"endpointUrl":"opc.tcp://127.0.0.1:1"}""");
            Assert.Equal(403, status);
        }
    }

    private async Task<JsonElement> TryAsync(string body)
    {
        var (status, answer) = await RestGateway.SendAsync(
            _gateway.Engineer, HttpMethod.Post, "/api/v1/upstreams/test", body);
        Assert.Equal(200, status);
        return answer;
    }

    private static List<string> StepsOf(JsonElement answer) =>
    [
        .. answer.GetProperty("steps").EnumerateArray().Select(static one =>
            $"{one.GetProperty("step").GetString()} {one.GetProperty("state").GetString()}"),
    ];
}
