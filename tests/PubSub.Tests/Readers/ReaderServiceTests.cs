using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Loadtest.Machine;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.Readers;
using Gateway.PubSub.Tests.DataSets;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.PubSub.Tests.Readers;

/// <summary>The readers of the gateway, with metadata from a file. Time stands still.</summary>
public sealed class ReaderServiceTests : IAsyncLifetime, IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("gateway-").FullName;
    private readonly Plant _plant = new();
    private readonly GroupKeys _keys;
    private readonly ReaderService _service;
    private readonly PubSubOptions _options;

    public ReaderServiceTests()
    {
        _keys = new GroupKeys("none", _plant.Time, NullLoggerFactory.Instance);
        File.WriteAllText(MetaDataPath, """
            {"MessageId":"1","MessageType":"ua-metadata","PublisherId":"p","DataSetWriterId":1,"MetaData":{
             "Name":"line","ConfigurationVersion":{"MajorVersion":1,"MinorVersion":1},
             "Fields":[{"Name":"Temp","BuiltInType":11,"DataType":"i=11","ValueRank":-1,
              "Properties":[{"Key":"NodeId","Value":{"UaType":12,"Value":"nsu=urn:plc1;s=Temp"} }]}]} }
            """);
        _options = new PubSubOptions { Connections = [Connection(FreePort.Next(), "None", "")] };
        var structures = new TableStructures(_plant.Nodes);
        _service = new ReaderService(
            _options, new PubSubLimits(), _plant.Nodes, _plant.Values, structures,
            new OutputFactory(
                new PublisherFacts("g", "urn:g", "g"), new PubSubLimits(), _plant.Nodes, structures, _keys,
                _plant.Time, NullLoggerFactory.Instance, static (_, _, _) => throw new InvalidOperationException()),
            _plant.Time, NullLoggerFactory.Instance);
    }

    private string MetaDataPath => Path.Combine(_folder, "metadata.json");

    public Task InitializeAsync() => _service.StartAsync(default);

    public async Task DisposeAsync() => await _service.StopAsync(default);

    public void Dispose()
    {
        _keys.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    /// <summary>The upstream browses at once: no timer has to come first.</summary>
    [Fact]
    public void TellClaims_AnUpstreamHasTheNamespaceOfAField_TheIdIsFree()
    {
        var namespaces = _plant.Nodes.Namespaces;
        Assert.True(namespaces.TryGetIndex("urn:plc1", out var index));
        Assert.False(_plant.Nodes.Find(new NodeId("Temp", index)).IsNone);

        namespaces.Claim("urn:plc1");
        namespaces.TellClaims();

        Assert.True(_plant.Nodes.Find(new NodeId("Temp", index)).IsNone);
        Assert.False(_plant.Nodes.Find(
            new NodeId("line/Temp", namespaces.GetOrAdd("urn:gateway:pubsub:p"))).IsNone);
    }

    [Fact]
    public async Task Change_KeysCannotBeRead_TheReadersStayAsTheyWere()
    {
        var before = Assert.Single(_service.ReadReaders());
        Assert.Equal(1, before.Fields);

        var errors = await _service.ChangeAsync(new PubSubOptions
        {
            Connections = [Connection(FreePort.Next(), "Sign", Path.Combine(_folder, "missing.json"))],
        });

        Assert.StartsWith(
            "PubSub:Connections:0:ReaderGroups:0:KeysPath: ", Assert.Single(errors), StringComparison.Ordinal);
        Assert.Equal(1, Assert.Single(_service.ReadReaders()).Fields);
        Assert.Empty(await _service.ChangeAsync(_options));
    }

    private ConnectionOptions Connection(int port, string mode, string keys) => new()
    {
        Name = "c",
        Address = $"opc.udp://127.0.0.1:{port}",
        ReaderGroups =
        [
            new ReaderGroupOptions
            {
                Name = "in",
                Encoding = "uadp",
                SecurityMode = mode,
                KeysPath = keys,
                DataSetReaders =
                [
                    new() { Name = "line", PublisherId = "p", DataSetWriterId = 1, MetaDataPath = MetaDataPath },
                ],
            },
        ],
    };
}
