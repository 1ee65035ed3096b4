using System.Text;
using System.Text.Json;
using Gateway.Interop.Gateways;
using Gateway.Interop.Scripts;
using Gateway.Loadtest.Machine;

namespace Gateway.Interop.PubSub;

/// <summary>Two gateways, one that publishes and one that reads: the same values under the same node ids, whatever the
/// way between them.</summary>
public sealed class ReaderTests : IAsyncLifetime, IDisposable
{
    private const string NodeUri = "nsu=urn:gateway:simulator;s=";
    private const string Reader = "--PubSub:Connections:0:ReaderGroups:0:";

    /// <summary>Values of all kinds, with namespace indexes among them. Nothing changes them but the test.</summary>
    private static readonly string[] Names =
    [
        "Boolean", "Int32", "UInt64", "Double", "String", "DateTime", "Guid", "ByteString", "NodeId", "ExpandedNodeId",
        "QualifiedName", "LocalizedText", "StatusCode", "Int32[]", "String[]", "NodeId[]",
    ];

    /// <summary>Those that RawData has a form for.</summary>
    private static readonly string[] RawNames =
    [
        "Boolean", "Int32", "UInt64", "Double", "String", "DateTime", "ByteString", "StatusCode", "Int32[]", "String[]",
    ];

    private readonly TemporaryFolder publisherFolder = new();
    private readonly TemporaryFolder readerFolder = new();
    private readonly HttpClient http = new();
    private Mosquitto? broker;
    private GatewayProcess? publisher;
    private GatewayProcess? reader;

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        if (reader is not null)
            await reader.DisposeAsync();
        if (publisher is not null)
            await publisher.DisposeAsync();
        if (broker is not null)
            await broker.DisposeAsync();
    }

    public void Dispose()
    {
        http.Dispose();
        publisherFolder.Dispose();
        readerFolder.Dispose();
    }

    [PeerTheory(PeerProgram.Mosquitto)]
    [InlineData("json", "None")]
    [InlineData("uadp", "None")]
    [InlineData("uadp", "Sign")]
    [InlineData("uadp", "SignAndEncrypt")]
    public async Task Reader_ThroughMosquitto_SameValuesUnderSameNodeIds(string encoding, string mode)
    {
        broker = await Mosquitto.StartAsync(publisherFolder);
        await StartAsync($"mqtt://127.0.0.1:{broker.Port}", encoding, mode);

        await AssertSameAsync();
        await WriteAsync("Int32", "4711");
        await WriteAsync("String", "\"über\"");
        Assert.Equal("4711", (await AssertSameAsync())[1].GetProperty("value").GetRawText());

        await publisher!.KillAsync();
        await Eventually.HoldsAsync(async () => (await ReadAsync(reader!)).All(
            static one => one.GetProperty("status").GetString() == "BadNoCommunication"));
        await publisher.StartAsync();
        await AssertSameAsync();
    }

    [PeerTheory]
    [InlineData("None")]
    [InlineData("SignAndEncrypt")]
    public async Task Reader_ByDatagrams_SameValuesUnderSameNodeIds(string mode)
    {
        await StartAsync($"opc.udp://127.0.0.1:{FreePort.Next()}", "uadp", mode);

        await AssertSameAsync();
        await WriteAsync("Int32", "4711");
        Assert.Equal("4711", (await AssertSameAsync())[1].GetProperty("value").GetRawText());
    }

    /// <summary>To a group that both have at the loopback interface alone.</summary>
    [PeerFact]
    public async Task Reader_ByMulticast_SameValuesUnderSameNodeIds()
    {
        await StartAsync(
            $"opc.udp://239.255.73.1:{FreePort.Next()}", "uadp", "SignAndEncrypt",
            "--PubSub:Connections:0:NetworkInterface=lo");

        await AssertSameAsync();
        await WriteAsync("Int32", "4711");
        Assert.Equal("4711", (await AssertSameAsync())[1].GetProperty("value").GetRawText());
    }

    /// <summary>Each layout, encoding of fields and content of messages that keys choose, with two writers in a group;
    /// by datagrams and through a broker.</summary>
    [PeerTheory(PeerProgram.Mosquitto)]
    [InlineData("opc.udp", "uadp", "HeaderLayout=periodic-fixed")]
    [InlineData("mqtt", "uadp", "HeaderLayout=periodic-fixed")]
    [InlineData("opc.udp", "uadp", "HeaderLayout=dynamic", "FieldEncoding=Variant")]
    [InlineData("mqtt", "uadp", "HeaderLayout=dynamic", "FieldEncoding=RawData")]
    [InlineData("opc.udp", "uadp", "FieldContent=StatusCode,ServerTimestamp")]
    [InlineData(
        "mqtt", "uadp", "FieldEncoding=RawData", "DataSetMessageContent=SequenceNumber",
        "NetworkMessageContent=PublisherId,GroupHeader,WriterGroupId,GroupVersion,PayloadHeader,Timestamp")]
    [InlineData("mqtt", "json", "FieldEncoding=Variant")]
    [InlineData("mqtt", "json-raw", "DataSetMessageContent=DataSetWriterId,MinorVersion,MessageType")]
    [InlineData(
        "mqtt", "json-compact", "NetworkMessageContent=DataSetMessageHeader",
        "DataSetMessageContent=DataSetWriterId,Timestamp", "FieldContent=StatusCode")]
    public async Task Reader_OfEachLayout_SameValues(string scheme, string encoding, params string[] content)
    {
        if (scheme == "mqtt")
            broker = await Mosquitto.StartAsync(publisherFolder);
        await StartLayoutAsync(
            $"{scheme}://127.0.0.1:{broker?.Port ?? FreePort.Next()}", encoding, content);

        await AssertSameAsync(RawNames, "sourceTimestamp");
        await WriteAsync("Int32", "4711");
        await WriteAsync("Double", "2.5");
        List<JsonElement> values = await AssertSameAsync(RawNames, "sourceTimestamp");
        Assert.Equal("4711", values[1].GetProperty("value").GetRawText());
        Assert.Equal("2.5", values[3].GetProperty("value").GetRawText());
    }

    private async Task StartAsync(string address, string encoding, string mode, params string[] more)
    {
        string keys = Path.Combine(publisherFolder.Sub("keys"), "keys.json");
        string key = Convert.ToBase64String(new byte[68].Select(static (_, i) => (byte)(i + 1)).ToArray());
        await File.WriteAllTextAsync(
            keys, $$"""{"policy":"PubSub-Aes256-CTR","keys":[{"token":1,"key":"{{key}}"}]}""");
        const string Group = "--PubSub:Connections:0:WriterGroups:0:";
        string[] connection =
        [
            "--PubSub:Connections:0:Name=c", $"--PubSub:Connections:0:Address={address}", .. more,
        ];
        string[] security = mode == "None" ? [] : [$"SecurityMode={mode}", $"KeysPath={keys}"];
        reader = await GatewayProcess.StartAsync(readerFolder,
        [
            "--demo", "--Simulator:Enabled=false", "--PubSub:PublisherId=reader", .. connection, Reader + "Name=in",
            Reader + $"Encoding={encoding}", Reader + "DataSetReaders:0:Name=all",
            Reader + "DataSetReaders:0:PublisherId=plant", Reader + "DataSetReaders:0:DataSetWriterId=1",
            Reader + "DataSetReaders:0:MessageReceiveTimeoutMs=2000", .. security.Select(static one => Reader + one),
        ]);
        publisher = await GatewayProcess.StartAsync(publisherFolder,
        [
            "--demo", "--Simulator:ChangesPerSecond=0", "--PubSub:PublisherId=plant", "--PubSub:DataSets:0:Name=all",
            .. Names.Select(static (name, i) => $"--PubSub:DataSets:0:Nodes:{i}={NodeUri}{name}"),
            .. connection, Group + "Name=g", Group + "WriterGroupId=1", Group + "PublishingIntervalMs=100",
            Group + "KeepAliveMs=500", Group + $"Encoding={encoding}", Group + "DataSetWriters:0:Name=w",
            Group + "DataSetWriters:0:DataSetWriterId=1", Group + "DataSetWriters:0:DataSet=all",
            .. security.Select(static one => Group + one),
        ]);
    }

    /// <summary>The values of the one writer, then those of the other.</summary>
    private async Task StartLayoutAsync(string address, string encoding, string[] content)
    {
        const int First = 3;
        const string Group = "--PubSub:Connections:0:WriterGroups:0:";
        const string DataSets = "--PubSub:DataSets:";
        string[] connection = ["--PubSub:Connections:0:Name=c", $"--PubSub:Connections:0:Address={address}"];
        reader = await GatewayProcess.StartAsync(readerFolder,
        [
            "--demo", "--Simulator:Enabled=false", "--PubSub:PublisherId=reader", .. connection, Reader + "Name=in",
            Reader + $"Encoding={encoding[..4]}",
            .. Enumerable.Range(0, 2).SelectMany(static i => new[]
            {
                $"{Reader}DataSetReaders:{i}:Name=r{i}", $"{Reader}DataSetReaders:{i}:PublisherId=4711",
                $"{Reader}DataSetReaders:{i}:DataSetWriterId={i + 1}",
                $"{Reader}DataSetReaders:{i}:WriterGroupId=1",
            }),
        ]);
        publisher = await GatewayProcess.StartAsync(publisherFolder,
        [
            "--demo", "--Simulator:ChangesPerSecond=0", "--PubSub:PublisherId=4711",
            .. RawNames.Take(First).Select(static (name, i) => $"{DataSets}0:Nodes:{i}={NodeUri}{name}"),
            .. RawNames.Skip(First).Select(static (name, i) => $"{DataSets}1:Nodes:{i}={NodeUri}{name}"),
            .. connection, "--PubSub:Connections:0:PublisherIdType=UInt64", Group + "Name=g", Group + "WriterGroupId=1",
            Group + "PublishingIntervalMs=100", Group + "KeepAliveMs=500", Group + $"Encoding={encoding}",
            .. content.Select(static one => Group + one),
            .. Enumerable.Range(0, 2).SelectMany(static i => new[]
            {
                $"{DataSets}{i}:Name=s{i}", $"{Group}DataSetWriters:{i}:Name=w{i}",
                $"{Group}DataSetWriters:{i}:DataSetWriterId={i + 1}", $"{Group}DataSetWriters:{i}:DataSet=s{i}",
            }),
        ]);
    }

    /// <summary>Values, types, status and the times of the source. What the reader had then: a moment later it may
    /// have missed its publisher.</summary>
    private Task<List<JsonElement>> AssertSameAsync() => AssertSameAsync(Names, "serverTimestamp");

    private async Task<List<JsonElement>> AssertSameAsync(string[] names, string without)
    {
        string[] expected = [], actual = [];
        List<JsonElement> values = [];
        try
        {
            await Eventually.HoldsAsync(async () =>
            {
                expected = [.. (await ReadAsync(publisher!, names)).Select(one => TextOf(one, without))];
                actual = [.. (values = await ReadAsync(reader!, names)).Select(one => TextOf(one, without))];
                return expected.SequenceEqual(actual);
            });
        }
        catch (OperationCanceledException)
        {
            // The difference says more.
        }

        Assert.Equal(expected, actual);
        Assert.Equal(names.Length, actual.Length);
        return values;
    }

    private static string TextOf(JsonElement one, string without) => string.Join(
        ' ', one.EnumerateObject().Where(member => member.Name != "serverTimestamp" && member.Name != without)
            .Select(static member => $"{member.Name}={member.Value.GetRawText()}"));

    private Task<List<JsonElement>> ReadAsync(GatewayProcess gateway) => ReadAsync(gateway, Names);

    private async Task<List<JsonElement>> ReadAsync(GatewayProcess gateway, string[] names)
    {
        string query = string.Join('&', names.Select(static name => "node=" + Uri.EscapeDataString(NodeUri + name)));
        using JsonDocument answer = JsonDocument.Parse(await http.GetStringAsync(
            new Uri($"http://127.0.0.1:{gateway.HttpPort}/api/v1/values?{query}")));
        return [.. answer.RootElement.GetProperty("values").EnumerateArray().Select(static one => one.Clone())];
    }

    private async Task WriteAsync(string name, string value)
    {
        using StringContent body = new(
            $$"""{"values":[{"node":"{{NodeUri}}{{name}}","value":{{value}}}]}""", Encoding.UTF8, "application/json");
        using HttpResponseMessage answer = await http.PutAsync(
            new Uri($"http://127.0.0.1:{publisher!.HttpPort}/api/v1/values"), body);
        Assert.True(answer.IsSuccessStatusCode, await answer.Content.ReadAsStringAsync());
    }
}
