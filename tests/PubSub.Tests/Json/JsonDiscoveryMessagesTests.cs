using System.Text;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Json;
using Gateway.PubSub.Messages;
using static Gateway.PubSub.Tests.Json.JsonSamples;

namespace Gateway.PubSub.Tests.Json;

/// <summary>Texts that are derived by hand from the tables of Part 14 §7.2.5.5, and read back.</summary>
public sealed class JsonDiscoveryMessagesTests
{
    private const string Head = "{\"MessageId\":\"9279c0b3-da88-45a4-af74-451cebf82db0\",\"MessageType\":\"ua-";
    private const string Publisher = "\",\"PublisherId\":\"MyPublisher\",";
    private const string Timestamp = "\"Timestamp\":\"2021-09-27T18:45:19.555Z\",";

    private static readonly JsonDiscoveryMessages Messages = new(new JsonFormat { Uris = Uris });
    private static readonly JsonMessageHead One = new(MessageId, "MyPublisher", Time);

    [Fact]
    public void MetaData_AllMembers_Compact()
    {
        var text = Messages.MetaData(
            One, "WriterGroup1", Writer(Verbose, default, Field("Temperature", BuiltInType.Double)));
        Assert.Equal(
            Head + "metadata" + Publisher + "\"DataSetWriterId\":101,\"WriterGroupName\":\"WriterGroup1\"," +
            "\"DataSetWriterName\":\"Writer101\"," + Timestamp + "\"MetaData\":{\"Name\":\"DataSet1\",\"Fields\":[{" +
            "\"Name\":\"Temperature\",\"BuiltInType\":11,\"DataType\":\"i=11\",\"ValueRank\":-1}]," +
            "\"ConfigurationVersion\":{\"MajorVersion\":672338910,\"MinorVersion\":672341762}}}",
            Encoding.UTF8.GetString(text));
        var read = Assert.IsType<ReceivedMetaData>(Read(text));
        Assert.Equal((101, "Writer101"), (read.DataSetWriterId, read.DataSetWriterName));
        Assert.Equal(Time, read.Timestamp);
        Assert.Equal("Temperature", Assert.Single(read.MetaData.Fields!).Name);
    }

    [Fact]
    public void Status_NotCyclic_NoTimes()
    {
        var text = Messages.Status(One, PubSubState.Error);
        Assert.Equal(
            Head + "status" + Publisher + "\"IsCyclic\":false,\"Status\":3}", Encoding.UTF8.GetString(text));
        var read = Assert.IsType<ReceivedStatus>(Read(text));
        Assert.Equal((PubSubState.Error, false), (read.Status, read.IsCyclic));
        Assert.Null(read.Timestamp);
    }

    [Fact]
    public void Status_Cyclic_BothTimes()
    {
        var text = Messages.CyclicStatus(One, PubSubState.Operational, Time.AddSeconds(10));
        Assert.Equal(
            Head + "status" + Publisher + Timestamp +
            "\"IsCyclic\":true,\"Status\":2,\"NextReportTime\":\"2021-09-27T18:45:29.555Z\"}",
            Encoding.UTF8.GetString(text));
        Assert.Equal(Time.AddSeconds(10), Assert.IsType<ReceivedStatus>(Read(text)).NextReportTime);
    }

    [Fact]
    public void Connection_WithSecretsAndReaders_WithoutThem()
    {
        var secret = new Codec.Structures.KeyValuePair { Key = new QualifiedName("secret"), Value = new Variant(1) };
        var properties = new[] { secret };
        var text = Messages.Connection(One, new PubSubConnectionDataType
        {
            Name = "C",
            Enabled = true,
            PublisherId = new Variant("MyPublisher"),
            Address = new ExtensionObject(new NetworkAddressUrlDataType { Url = "mqtt://hidden" }),
            ConnectionProperties = properties,
            ReaderGroups = [new ReaderGroupDataType { Name = "R" }],
            WriterGroups =
            [
                new WriterGroupDataType
                {
                    Name = "G",
                    WriterGroupId = 7,
                    GroupProperties = properties,
                    DataSetWriters = [new DataSetWriterDataType { Name = "W", DataSetWriterProperties = properties }],
                },
            ],
        });
        Assert.Equal(
            Head + "connection" + Publisher + Timestamp + "\"Connection\":{\"Name\":\"C\",\"Enabled\":true," +
            "\"PublisherId\":{\"UaType\":12,\"Value\":\"MyPublisher\"},\"WriterGroups\":[{\"Name\":\"G\"," +
            "\"WriterGroupId\":7,\"DataSetWriters\":[{\"Name\":\"W\"}]}]}}",
            Encoding.UTF8.GetString(text));
        Assert.Equal("C", Assert.IsType<ReceivedConnection>(Read(text)).Connection.Name);
    }

    [Fact]
    public void ApplicationAndEndpoints_AllMembers_ReadBack()
    {
        var description = new ApplicationDescription { ApplicationUri = "urn:gateway" };
        var text = Messages.Application(One, description, ["DA", "PUB"]);
        Assert.Equal(
            Head + "application" + Publisher + Timestamp +
            "\"Description\":{\"ApplicationUri\":\"urn:gateway\"},\"ServerCapabilities\":[\"DA\",\"PUB\"]}",
            Encoding.UTF8.GetString(text));
        Assert.Equal(["DA", "PUB"], Assert.IsType<ReceivedApplication>(Read(text)).ServerCapabilities);
        text = Messages.Endpoints(One, [new EndpointDescription { EndpointUrl = "opc.tcp://gateway:4840" }]);
        Assert.StartsWith(
            Head + "endpoints" + Publisher + Timestamp +
            "\"Endpoints\":[{\"EndpointUrl\":\"opc.tcp://gateway:4840\"", Encoding.UTF8.GetString(text));
        Assert.Single(Assert.IsType<ReceivedEndpoints>(Read(text)).Endpoints);
    }

    private static ReceivedMessage? Read(byte[] text) =>
        new JsonNetworkMessageReader(new JsonFormat { Uris = Uris }).Read(text, null, out _);
}
