using System.Text;
using Gateway.Codec.Structures;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;
using Gateway.PubSub.States;
using Gateway.PubSub.Tests.DataSets;
using Gateway.PubSub.Tests.Uadp;
using Gateway.PubSub.Uadp.Reading;
using Gateway.PubSub.Uadp.Security;
using Gateway.Store;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.PubSub.Tests.Outputs;

/// <summary>Subscribers of each mapping find what they need in that mapping (Part 14 §7.3.4.7).</summary>
public sealed class BrokerMessagesTests : IDisposable
{
    private static readonly WriterGroupOptions Json = Group("j", "json", 1);
    private static readonly WriterGroupOptions Uadp = Group("u", "uadp", 2);

    private readonly string _folder = Directory.CreateTempSubdirectory("broker-messages").FullName;
    private readonly Plant _plant = new Plant().AddTag("A");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void AtStart_BothMappings_TopicsOfBoth()
    {
        using var messages = Make(Json, Uadp);

        var all = messages.AtStart(DateTime.UnixEpoch).ToList();

        Assert.Equal(
            [
                "json/status", "json/application", "json/connection",
                "uadp/status", "uadp/application", "uadp/connection",
            ],
            all.Select(static one => one.Topic["opcua/".Length..^"/p".Length]));
        Assert.All(all, static one => Assert.True(one.IsRetained));
        Assert.Equal(["json/status", "uadp/status"], messages.AtEnd().Select(static one => one.Topic[6..^2]));
        Assert.Equal("opcua/json/status/p", messages.Will().Topic);
        var connection = Encoding.UTF8.GetString(all[2].Payload.Span);
        Assert.Contains("\"DataSetFieldContentMask\":3,\"KeyFrameCount\":4", connection, StringComparison.Ordinal);
        Assert.DoesNotContain("\"u\"", connection, StringComparison.Ordinal);
        var read = Read(all[5]).Announcement!.Connections.Single();
        Assert.Equal(("u", (ushort)2), (read.WriterGroups!.Single().Name, read.WriterGroups![0].WriterGroupId));
        Assert.Equal(MessageSecurityMode.None, read.WriterGroups[0].SecurityMode);
    }

    [Fact]
    public void AtStart_UadpAlone_NothingInJson()
    {
        using var messages = Make(Uadp);

        Assert.All(
            messages.AtStart(DateTime.UnixEpoch).Append(messages.Will()).Concat(messages.AtEnd()),
            static one => Assert.StartsWith("opcua/uadp/", one.Topic, StringComparison.Ordinal));
    }

    [Fact]
    public void MetaData_Uadp_IsAnAnnouncement()
    {
        using var messages = Make(Uadp);

        var message = messages.OfMetaData(Announce(Uadp), DateTime.UnixEpoch)!;

        Assert.Equal("opcua/uadp/metadata/p/u/w", message.Topic);
        Assert.Equal("A", Read(message).Announcement!.MetaData!.Fields!.Single().Name);
    }

    /// <summary>The names of fields are not for everybody who may read the broker.</summary>
    [Fact]
    public void MetaData_OfASealedGroup_IsSealedToo()
    {
        var group = Uadp with { SecurityMode = "SignAndEncrypt", KeysPath = Path.Combine(_folder, "keys.json") };
        var policy = PubSubSecurityPolicy.Aes256Ctr;
        var key = Convert.ToBase64String(new byte[policy.KeyDataBytes]);
        File.WriteAllText(
            group.KeysPath, $$"""{"policy":"{{policy.Name}}","keys":[{"token":1,"key":"{{key}}"}]}""");
        using var messages = Make(group);

        var message = messages.OfMetaData(Announce(group), DateTime.UnixEpoch)!;

        Assert.Equal(UadpReadProblem.UnknownKey, Read(message).Problem);
        Assert.DoesNotContain("Double", Encoding.Latin1.GetString(message.Payload.Span), StringComparison.Ordinal);
    }

    /// <summary>A subscriber learns of which tags messages are missing.</summary>
    [Fact]
    public void Gap_OfAWriter_NamesItsTags()
    {
        using var messages = Make(Json, Uadp);
        messages.OfMetaData(Announce(Uadp), DateTime.UnixEpoch);
        var gap = new StoreGap
        {
            Reason = GapReason.Overwritten,
            From = 3,
            To = 9,
            Count = 7,
            FirstTime = DateTime.UnixEpoch,
            LastTime = DateTime.UnixEpoch.AddMinutes(1),
            Writers = new Dictionary<ushort, long> { [2] = 4, [9] = 3 },
        };

        var report = messages.Explain(gap);

        Assert.Equal([new GapTag("nsu=urn:plant;s=A", 4)], report.Tags);
        var text = Encoding.UTF8.GetString(messages.OfGap(report, DateTime.UnixEpoch).Payload.Span);
        Assert.Contains(
            """
            "Tags":[{"Tag":"nsu=urn:plant;s=A","From":"1970-01-01T00:00:00Z","To":"1970-01-01T00:01:00Z","Count":4}]
            """.Trim(), text, StringComparison.Ordinal);
    }

    private static WriterGroupOptions Group(string name, string encoding, int id) => new()
    {
        Name = name,
        Encoding = encoding,
        WriterGroupId = id,
        DataSetWriters = [new DataSetWriterOptions { Name = "w", DataSetWriterId = id, DataSet = "tags" }],
    };

    private static UadpReadResult Read(RetainedMessage message)
    {
        using var reader = new UadpNetworkMessageReader(
            new UadpReaderOptions(), new UadpDirectory(), null, TimeProvider.System);
        return reader.Read(message.Payload.Span);
    }

    private Announcement Announce(WriterGroupOptions group)
    {
        using var dataSet = _plant.Publish("ns=1;s=A");
        return new Announcement(
            new GroupDescription { PublisherId = "p", Name = group.Name, WriterGroupId = 2 },
            new WriterDescription { Name = "w", DataSetWriterId = 2, MetaData = dataSet.Layout.MetaData }, "topic");
    }

    private BrokerMessages Make(params WriterGroupOptions[] groups) => new(
        new PublisherFacts("p", "urn:p", "P"),
        new ConnectionOptions { Name = "c", Address = "mqtt://localhost", WriterGroups = groups },
        [new DataSetOptions { Name = "tags", KeyFrameCount = 4 }], new TopicTree("opcua", "p"), _plant.Nodes,
        new GroupKeys(Path.Combine(_folder, "nonces.json"), TimeProvider.System, NullLoggerFactory.Instance));
}
