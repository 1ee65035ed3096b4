using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Json;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Readers;
using Gateway.PubSub.Tests.DataSets;

namespace Gateway.PubSub.Tests.Readers;

/// <summary>JSON on a publisher's topics.</summary>
public sealed class JsonInputTests
{
    private const string Publisher = "plant1";

    private readonly Plant _plant = new();
    private readonly DataSetReader _reader;
    private readonly JsonInput _input;

    public JsonInputTests()
    {
        var parts = new ReaderParts(_plant.Nodes, _plant.Values, new PubSubLimits(), _plant.Time);
        _reader = new DataSetReader(
            "broker", "in", new DataSetReaderOptions { Name = "line", PublisherId = Publisher, DataSetWriterId = 1 },
            parts);
        _input = new JsonInput([_reader], parts, new TableStructures(_plant.Nodes));
    }

    /// <summary>It has megabytes, while messages with data are bounded by MaxPubSubMessageBytes.</summary>
    [Fact]
    public void Take_MetaDataOfThousandsOfFields_NodesAreThere()
    {
        const int Fields = 5000;
        var metaData = MetaData(Fields);
        Assert.True(metaData.Length > new PubSubLimits().MaxPubSubMessageBytes);

        Assert.True(_input.TryTake(Publisher, metaData));

        Assert.Equal(Fields, _reader.Report().Fields);
    }

    [Fact]
    public void Take_DataAboveTheLimit_CountedAndNotUsed()
    {
        _input.TryTake(Publisher, MetaData(1));
        var text = new string('x', new PubSubLimits().MaxPubSubMessageBytes);

        Assert.True(_input.TryTake(Publisher, System.Text.Encoding.UTF8.GetBytes(
            $$$"""
            {"MessageId":"1","MessageType":"ua-data","PublisherId":"plant1","Messages":[{"DataSetWriterId":1,
             "Payload":{"{{{text}}}":{"Value":1} } }]}
            """)));

        Assert.Equal(1, _reader.Report().Problems[nameof(ReaderProblem.TooLarge)]);
    }

    /// <summary>Its value is not written, and it has a type all the same.</summary>
    [Fact]
    public void Take_EmptyGuid_IsAGuid()
    {
        _input.TryTake(Publisher, MetaData(1, type: BuiltInType.Guid));

        _input.TryTake(
            Publisher,
            """
            {"MessageId":"1","MessageType":"ua-data","PublisherId":"plant1","Messages":[{"DataSetWriterId":1,
             "Payload":{"Line.Machine.Tag0":{"SourceTimestamp":"2026-01-01T00:00:00Z"} } }]}
            """u8);

        var index = _plant.Nodes.Namespaces.GetOrAdd($"urn:gateway:pubsub:{Publisher}");
        var value = _plant.Values.Read(_plant.Nodes.Find(new NodeId("line/Line.Machine.Tag0", index)));
        Assert.Equal(new Variant(Guid.Empty), value.Value);
    }

    /// <summary>A gateway's metadata names all of its namespaces, those of its upstreams among them.</summary>
    [Fact]
    public void Take_MetaDataNamesNamespaces_ThoseThatNothingUsesAreNotTaken()
    {
        var before = _plant.Nodes.Namespaces.Count;

        Assert.True(_input.TryTake(Publisher, MetaData(1, namespaces: ["urn:plc1", "urn:plc2"])));

        Assert.NotNull(_reader.MetaData);
        Assert.Equal(before, _plant.Nodes.Namespaces.Count);
    }

    /// <summary>Its values may hold a NodeId of any of them.</summary>
    [Fact]
    public void Take_FieldOfNodeIds_NamespacesAreThereAsFarAsTheShareGoes()
    {
        var many = Enumerable.Range(0, 2 * ReaderNamespaces.MostOfPublisher).Select(static i => $"urn:n{i}").ToArray();

        Assert.True(_input.TryTake(Publisher, MetaData(1, type: BuiltInType.NodeId, namespaces: many)));

        Assert.NotNull(_reader.MetaData);
        Assert.True(_plant.Nodes.Namespaces.TryGetIndex("urn:n0", out _));
        Assert.False(_plant.Nodes.Namespaces.TryGetIndex(many[^1], out _));
    }

    [Fact]
    public void Take_RetainedMessageTakenBack_IsNoProblem()
    {
        Assert.True(_input.TryTake(Publisher, []));

        Assert.Empty(_reader.Report().Problems);
    }

    [Fact]
    public void TryTakeMetaData_OfAnotherWriter_IsRefused()
    {
        Assert.False(_input.TryTakeMetaData(_reader, MetaData(1, writer: 2)));
        Assert.True(_input.TryTakeMetaData(_reader, MetaData(1)));
    }

    private byte[] MetaData(
        int fields, ushort writer = 1, BuiltInType type = BuiltInType.Double, string[]? namespaces = null)
    {
        var uris = _plant.Nodes.Namespaces.Uris;
        var messages = new JsonDiscoveryMessages(new JsonFormat { Uris = new JsonUris(uris, uris[1..2]) });
        return messages.MetaData(new JsonMessageHead(Guid.NewGuid(), Publisher, DateTime.UnixEpoch), "g",
            new WriterDescription
            {
                Name = "w",
                DataSetWriterId = writer,
                MetaData = new DataSetMetaDataType
                {
                    Name = "line",
                    Namespaces = namespaces,
                    Fields = [.. Enumerable.Range(0, fields).Select(i => new FieldMetaData
                    {
                        Name = $"Line.Machine.Tag{i}",
                        BuiltInType = (byte)type,
                        DataType = new NodeId((uint)type),
                        ValueRank = -1,
                    })],
                },
            });
    }
}
