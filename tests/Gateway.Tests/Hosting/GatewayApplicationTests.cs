using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Gateway.AddressSpace.Nodes;
using Gateway.Host.Hosting;
using Gateway.Server;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Configuration;

namespace Gateway.Tests.Hosting;

public sealed class GatewayApplicationTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("gateway-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Run_StartedAndStopped_ReadyInBetweenOnly()
    {
        await using var application = Build();
        var readiness = application.Get<Readiness>();
        var before = readiness.IsReady;
        await application.StartAsync();
        using var http = new HttpClient { BaseAddress = Composition.HttpOf(application) };
        using var socket = new TcpClient();
        await socket.ConnectAsync(application.Get<UaTcpOptions>().EndPoint);

        await application.StopAsync();

        Assert.False(before);
        Assert.False(readiness.IsReady);
        Assert.True(application.Get<GatewayServer>().IsShuttingDown);
        // ERR or the end of the stream: the connection was not left hanging.
        var read = await socket.GetStream().ReadAsync(new byte[1024]);
        Assert.InRange(read, 0, 1024);
    }

    [Fact]
    public async Task Health_ReadyOrNot_StatusAndBodyOfEach()
    {
        await using var application = Build();
        await application.StartAsync();
        using var http = new HttpClient { BaseAddress = Composition.HttpOf(application) };

        await AssertAnswerAsync(http, "/livez", HttpStatusCode.OK, "live");
        await AssertAnswerAsync(http, "/readyz", HttpStatusCode.OK, "ready");
        application.Get<Readiness>().Set(false);
        await AssertAnswerAsync(http, "/livez", HttpStatusCode.OK, "live");
        await AssertAnswerAsync(http, "/readyz", HttpStatusCode.ServiceUnavailable, "not ready");
        using var posted = await http.PostAsync("/readyz", null);
        using var notReady = await http.GetAsync("/readyz");

        Assert.NotNull(notReady.Headers.RetryAfter);
        Assert.Equal(HttpStatusCode.MethodNotAllowed, posted.StatusCode);
    }

    [Fact]
    public async Task Namespaces_SimulatorOn_InTheContractsOrder()
    {
        await using var application = Build();
        var namespaces = application.Get<NodeTable>().Namespaces;

        Assert.Equal(application.Get<ApplicationCertificate>().ApplicationUri, namespaces.GetUri(1));
        Assert.Equal("urn:gateway:simulator", namespaces.GetUri(2));
    }

    [Fact]
    public async Task Namespaces_SimulatorOff_ItsIsNotThere()
    {
        await using var application = Build("--Simulator:Enabled=false");
        await application.StartAsync();

        Assert.False(application.Get<NodeTable>().Namespaces.TryGetIndex("urn:gateway:simulator", out _));
    }

    /// <summary>Its clients know it by that: another port is another default, and no other identity.</summary>
    [Fact]
    public async Task Certificate_OfAnEarlierStart_KeepsItsApplicationUri()
    {
        string first;
        await using (var application = Build())
            first = application.Get<ApplicationCertificate>().ApplicationUri;

        await using var again = Build();

        Assert.Equal(first, again.Get<ApplicationCertificate>().ApplicationUri);
        Assert.Equal(first, again.Get<NodeTable>().Namespaces.GetUri(1));
    }

    /// <summary>Two gateways that were started in one directory: the second one says so.</summary>
    [Fact]
    public async Task Pki_OfARunningGateway_IsShared()
    {
        await using (var first = Build())
        {
            await using var second = Build();

            Assert.False(first.Get<PkiLock>().IsShared);
            Assert.True(second.Get<PkiLock>().IsShared);
        }

        await using var later = Build();
        Assert.False(later.Get<PkiLock>().IsShared);
    }

    /// <summary>A list is taken whole from the first that has it, also by what the framework reads itself.</summary>
    [Fact]
    public async Task Configuration_OfTheContainer_IsTheMergedOne()
    {
        await using var application = Build("--OpcUa:SecurityPolicies=Aes256_Sha256_RsaPss");

        var policies = application.Get<IConfiguration>().GetSection("OpcUa:SecurityPolicies").GetChildren();

        Assert.Equal(["Aes256_Sha256_RsaPss"], policies.Select(policy => policy.Value));
    }

    [Theory]
    [InlineData(SocketError.AddressAlreadyInUse, "OpcUa:Port: '{0}' is in use")]
    [InlineData(SocketError.AccessDenied, "OpcUa:Port: '{0}' may not be used by this user")]
    [InlineData(SocketError.AddressNotAvailable, "OpcUa:Address: '127.0.0.1' is no address of this machine")]
    [InlineData(SocketError.AddressFamilyNotSupported, "OpcUa:Address: '127.0.0.1' is of a kind")]
    [InlineData(SocketError.NetworkDown, "OpcUa:Address: cannot listen on '127.0.0.1:{0}'")]
    public void StartProblem_OfASocket_BeginsWithTheKeyAndTheValue(SocketError error, string start)
    {
        var uaTcp = new IPEndPoint(IPAddress.Loopback, 4841);

        var text = StartProblem.Of(new ListenException(uaTcp, new SocketException((int)error)), uaTcp);

        Assert.StartsWith(
            string.Format(CultureInfo.InvariantCulture, start, uaTcp.Port), text,
            StringComparison.Ordinal);
        Assert.DoesNotContain('\n', text);
    }

    private static async Task AssertAnswerAsync(HttpClient http, string path, HttpStatusCode status, string body)
    {
        using var answer = await http.GetAsync(path);
        Assert.Equal(status, answer.StatusCode);
        Assert.Equal(body, await answer.Content.ReadAsStringAsync());
        Assert.Equal("text/plain", answer.Content.Headers.ContentType!.ToString());
        Assert.Equal("no-store", answer.Headers.CacheControl!.ToString());
    }

    private WebApplication Build(params string[] options) => Composition.Build([$"--Pki:Path={_folder}", .. options]);
}
