using System.Net;
using System.Net.Sockets;
using Gateway.Testing;
using Gateway.Tests.Http;
using Gateway.Tests.Rest;
using Gateway.Transport.Hosting;

namespace Gateway.Tests.Sockets;

/// <summary>Each connection that the gateway opens itself is one of its descriptors (R41).</summary>
[Collection(OwnMetrics.Name)]
public sealed class OutgoingTests : IDisposable
{
    private const string Metric = "gateway_outgoing_connections";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("outgoing-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task ModbusAndMqtt_Connected_AreCountedAndHaveTheirShare()
    {
        using var device = new TcpListener(IPAddress.Loopback, 0);
        using var broker = new TcpListener(IPAddress.Loopback, 0);
        device.Start();
        broker.Start();
        await using var gateway = await RunningGateway.StartAsync(
            "--Upstreams:0:Name=Drive", "--Upstreams:0:Driver=modbus",
            $"--Upstreams:0:EndpointUrl=modbus://127.0.0.1:{PortOf(device)}",
            "--Upstreams:0:Tags:0:Name=Speed",
            "--PubSub:DataSets:0:Name=a", "--PubSub:DataSets:0:Nodes:0=i=2258",
            $"--PubSub:VersionsPath={_folder}/versions.json",
            "--PubSub:Connections:0:Name=c", $"--PubSub:Connections:0:Address=mqtt://127.0.0.1:{PortOf(broker)}",
            $"--PubSub:Connections:0:StorePath={_folder}/store",
            "--PubSub:Connections:0:WriterGroups:0:Name=g", "--PubSub:Connections:0:WriterGroups:0:WriterGroupId=1",
            "--PubSub:Connections:0:WriterGroups:0:DataSetWriters:0:Name=w",
            "--PubSub:Connections:0:WriterGroups:0:DataSetWriters:0:DataSetWriterId=1",
            "--PubSub:Connections:0:WriterGroups:0:DataSetWriters:0:DataSet=a");

        using var toDevice = await device.AcceptSocketAsync();
        using var toBroker = await broker.AcceptSocketAsync();

        await OwnMetrics.UntilAsync(gateway, Metric, static open => open == 2);
        Assert.Equal(2, gateway.Get<UaTcpOptions>().OutgoingConnections);
    }

    /// <summary>The try of a broker that is not configured, as long as it says nothing.</summary>
    [Fact]
    public async Task BrokerTrial_UnderWay_IsCounted()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        await using var gateway = await RestGateway.StartAsync();
        var trial = RestGateway.SendAsync(
            gateway.Engineer, HttpMethod.Post, "/api/v1/pubsub/test",
            $$"""{"address":"mqtt://{{listener.LocalEndpoint}}"}""");

        using var broker = await listener.AcceptSocketAsync().WaitAsync(Patience.Limit);

        await OwnMetrics.UntilAsync(gateway.Host, Metric, static open => open == 1);
        broker.Close();
        await trial;
    }

    private static int PortOf(TcpListener listener) => ((IPEndPoint)listener.LocalEndpoint).Port;
}
