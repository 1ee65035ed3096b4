using Gateway.PubSub.Options;

namespace Gateway.PubSub.Tests.Options;

/// <summary>Each mistake has one line, with the full key of the option that is wrong.</summary>
public sealed class PubSubOptionsTests
{
    private static readonly DataSetWriterOptions Writer = new() { Name = "w", DataSetWriterId = 1, DataSet = "tags" };

    private static readonly WriterGroupOptions Group = new()
    {
        Name = "g",
        WriterGroupId = 1,
        DataSetWriters = [Writer],
    };

    private static readonly ConnectionOptions Connection = new()
    {
        Name = "broker",
        Address = "mqtt://127.0.0.1",
        WriterGroups = [Group],
    };

    private static readonly DataSetReaderOptions Reader = new() { Name = "r", PublisherId = "p", DataSetWriterId = 1 };

    private static readonly DataSetOptions DataSet = new() { Name = "tags", Nodes = ["ns=2;i=1000"] };

    private static readonly DataSetOptions EventSet = new() { Name = "tags", EventNotifier = "i=2253" };

    public static TheoryData<string, PubSubOptions> Mistakes => new()
    {
        { "Connections:0:ReaderGroups:0:Encoding", Of(Reading(Reader) with { Address = "opc.udp://127.0.0.1" }) },
        { "Connections:0:ReaderGroups:0:SecurityMode", Sealed("json", "Sign", "keys.json") },
        { "Connections:0:ReaderGroups:0:KeysPath", Sealed("uadp", "SignAndEncrypt", "") },
        {
            "Connections:0:ReaderGroups:0:DataSetReaders:0:PublisherId",
            Of(Reading(Reader with { PublisherId = "a/b" }))
        },
        {
            "Connections:0:ReaderGroups:0:DataSetReaders:0:DataSetWriterId",
            Of(Reading(Reader with { DataSetWriterId = 0 }))
        },
        {
            "Connections:0:ReaderGroups:0:DataSetReaders:0:MessageReceiveTimeoutMs",
            Of(Reading(Reader with { MessageReceiveTimeoutMs = 0 }))
        },
        {
            "Connections:0:ReaderGroups:0:DataSetReaders:0:NodeIds",
            Of(Reading(Reader with { NodeIds = "theirs" }))
        },
        {
            "Connections:0:ReaderGroups:0:DataSetReaders:1:Name",
            Of(Reading(Reader, Reader with { DataSetWriterId = 2 }))
        },
        {
            "Connections:0:ReaderGroups:0:DataSetReaders:1:DataSetWriterId",
            Of(Reading(Reader, Reader with { Name = "other" }))
        },
        { "PublisherId", Of(Connection) with { PublisherId = "a/b" } },
        { "DataSets:0:Name", Of(DataSet with { Name = "#" }, DataSet) },
        { "DataSets:1:Name", Of(DataSet, DataSet) },
        { "DataSets:0:Nodes", Of(DataSet with { Nodes = [] }) },
        { "DataSets:0:EventNotifier", Of(DataSet with { EventNotifier = "i=2253" }) },
        { "DataSets:0:EventNotifier", Of(DataSet with { EventTypes = ["AlarmConditionType"] }) },
        { "DataSets:0:EventNotifier", Of(EventSet with { EventNotifier = "/Objects/*" }) },
        { "DataSets:0:EventMinSeverity", Of(EventSet with { EventMinSeverity = 1001 }) },
        { "DataSets:0:EventFields:1", Of(EventSet with { EventFields = ["message", "a//b"] }) },
        { "DataSets:0:EventFields:1", Of(EventSet with { EventFields = ["active", "ActiveState/Id"] }) },
        {
            "Connections:0:WriterGroups:0:DataSetWriters:0:DataSet",
            Of(EventSet) with { Connections = [Connection with { WriterGroups = [Group with { Encoding = "plain" }] }] }
        },
        {
            "Connections:0:WriterGroups:0:DataSetWriters:0:DataSet",
            Of(EventSet) with
            {
                Connections = [Connection with { WriterGroups = [Group with { Encoding = "json-raw" }] }],
            }
        },
        { "DataSets:0:SamplingIntervalMs", Of(DataSet with { SamplingIntervalMs = -1 }) },
        { "DataSets:0:SamplingIntervalMs", Of(DataSet with { SamplingIntervalMs = double.NaN }) },
        { "DataSets:0:Deadband", Of(DataSet with { Deadband = -1 }) },
        { "DataSets:0:Deadband", Of(DataSet with { Deadband = double.PositiveInfinity }) },
        { "DataSets:0:KeyFrameCount", Of(DataSet with { KeyFrameCount = 0 }) },
        { "Connections:0:Name", Of(Connection with { Name = "" }) },
        { "Connections:0:Name", Of(Connection with { Name = ".." }) },
        { "Connections:1:Name", Of(Connection, Connection with { StorePath = "elsewhere", ClientId = "b" }) },
        { "Connections:0:Address", Of(Connection with { Address = "http://127.0.0.1" }) },
        { "Connections:0:Address", Of(Connection with { Address = "mqtt://anna:pw@127.0.0.1" }) },
        { "Connections:0:Qos", Of(Connection with { Qos = 2 }) },
        { "Connections:0:MqttVersion", Of(Connection with { MqttVersion = "4" }) },
        { "Connections:0:TopicPrefix", Of(Connection with { TopicPrefix = "$SYS" }) },
        { "Connections:0:StoreOrder", Of(Connection with { StoreOrder = "newest" }) },
        {
            "Connections:0:StoreOrder",
            Of(Connection with
            {
                StoreOrder = "newest-first",
                WriterGroups = [Group with { Encoding = "uadp", SecurityMode = "Sign", KeysPath = "keys" }],
            })
        },
        { "Connections:0:StoreDrainBytesPerSecond", Of(Connection with { StoreDrainBytesPerSecond = 1 }) },
        { "Connections:0:StoreFsync", Of(Connection with { StoreFsync = "always" }) },
        { "Connections:0:StoreMaxBytes", Of(Connection with { StoreMaxBytes = 1 << 20 }) },
        { "Connections:0:CertificatePath", Of(Connection with { Address = "mqtts://b", KeyPath = "key.pem" }) },
        { "Connections:0:CaPath", Of(Connection with { CaPath = "ca.pem" }) },
        { "Connections:0:Password", Of(Connection with { Address = "mqtt://b", User = "anna", Password = "pw" }) },
        { "Connections:0:Password", Of(Connection with { Password = "pw" }) },
        {
            "Connections:1:StorePath",
            Of(Connection with { StorePath = "a" }, Connection with { Name = "other", StorePath = "a", ClientId = "b" })
        },
        {
            "Connections:1:ClientId",
            Of(Connection with { ClientId = "a" }, Connection with { Name = "other", ClientId = "a" })
        },
        { "Connections:0:WriterGroups:1:Name", Of(Group, Group with { WriterGroupId = 2, DataSetWriters = [Two] }) },
        { "Connections:0:WriterGroups:1:WriterGroupId", Of(Group, Group with { Name = "h", DataSetWriters = [Two] }) },
        {
            "Connections:0:WriterGroups:1:DataSetWriters:0:DataSetWriterId",
            Of(Group, Group with { Name = "h", WriterGroupId = 2 })
        },
        { "Connections:0:WriterGroups:0:Name", Of(Group with { Name = "a+" }) },
        { "Connections:0:WriterGroups:0:WriterGroupId", Of(Group with { WriterGroupId = 0 }) },
        { "Connections:0:WriterGroups:0:Encoding", Of(Group with { Encoding = "jsonx" }) },
        { "Connections:0:WriterGroups:0:Encoding", Of(Connection with { Address = "opc.udp://224.0.2.14" }) },
        { "Connections:0:NetworkInterface", Of(Connection with { NetworkInterface = "eth1" }) },
        { "Connections:0:WriterGroups:0:PublishingIntervalMs", Of(Group with { PublishingIntervalMs = 0.5 }) },
        { "Connections:0:WriterGroups:0:KeepAliveMs", Of(Group with { KeepAliveMs = 1 }) },
        {
            "Connections:0:WriterGroups:0:SecurityMode",
            Of(Group with { Encoding = "uadp", SecurityMode = "Both", KeysPath = "keys" })
        },
        {
            "Connections:0:WriterGroups:0:SecurityMode", Of(Group with { SecurityMode = "Sign", KeysPath = "keys" })
        },
        { "Connections:0:WriterGroups:0:KeysPath", Of(Group with { Encoding = "uadp", SecurityMode = "Sign" }) },
        { "Connections:0:WriterGroups:0:DataSetWriters", Of(Group with { DataSetWriters = [] }) },
        {
            "Connections:0:WriterGroups:0:DataSetWriters:1:Name",
            Of(Group with { DataSetWriters = [Writer, Writer with { DataSetWriterId = 2 }] })
        },
        {
            "Connections:0:WriterGroups:0:DataSetWriters:0:DataSetWriterId",
            Of(Group with { DataSetWriters = [Writer with { DataSetWriterId = 65536 }] })
        },
        {
            "Connections:0:WriterGroups:0:DataSetWriters:0:DataSet",
            Of(Group with { DataSetWriters = [Writer with { DataSet = "none" }] })
        },
    };

    private static DataSetWriterOptions Two => Writer with { Name = "w2", DataSetWriterId = 2 };

    [Theory]
    [MemberData(nameof(Mistakes))]
    public void Validate_OneMistake_ItsFullKey(string key, PubSubOptions options)
    {
        var errors = options.Validate("PubSub");

        Assert.Contains(errors, error => error.StartsWith($"PubSub:{key}: ", StringComparison.Ordinal));
    }

    [Fact]
    public void Validate_SeveralMistakes_AllAtOnce()
    {
        var options = Of(Connection with { Qos = 7, MqttVersion = "4", WriterGroups = [Group with { Name = "" }] });

        Assert.Equal(
            [
                "PubSub:Connections:0:Qos: 7 is neither 0 nor 1",
                "PubSub:Connections:0:MqttVersion: '4' is neither 3.1.1 nor 5.0",
                "PubSub:Connections:0:WriterGroups:0:Name: " + TopicNames.Expected,
            ],
            options.Validate("PubSub"));
    }

    [Theory]
    [InlineData("mqtt://127.0.0.1:1883")]
    [InlineData("mqtt://[::1]")]
    [InlineData("mqtts://broker.example:8883")]
    public void Validate_GoodOptions_NoError(string address) =>
        Assert.Empty(Of(Connection with { Address = address }).Validate("PubSub"));

    [Fact]
    public void Validate_PasswordWhereNobodyListens_NoError()
    {
        var user = Connection with { User = "anna", Password = "pw" };

        Assert.Empty(Of(user).Validate("PubSub"));
        Assert.Empty(Of(user with { Address = "mqtt://localhost" }).Validate("PubSub"));
        Assert.Empty(Of(user with { Address = "mqtts://b" }).Validate("PubSub"));
        Assert.Empty(Of(user with { Address = "mqtt://b", AllowInsecurePassword = true }).Validate("PubSub"));
    }

    [Fact]
    public void Validate_IntervalAboveTheKeepAliveByDefault_NoError() =>
        Assert.Empty(Of(Group with { PublishingIntervalMs = 60_000 }).Validate("PubSub"));

    [Theory]
    [InlineData("plant", true)]
    [InlineData("Werk 1 · Öfen", true)]
    [InlineData("", false)]
    [InlineData("a/b", false)]
    [InlineData("a+", false)]
    [InlineData("a#", false)]
    [InlineData("$SYS", false)]
    [InlineData("a\0", false)]
    [InlineData("a\n", false)]
    [InlineData("a\ud800", false)]
    public void IsLevel_Name_WhatATopicTakes(string name, bool isLevel) =>
        Assert.Equal(isLevel, TopicNames.IsLevel(name));

    [Fact]
    public void IsLevel_LongName_UpTo128() =>
        Assert.True(TopicNames.IsLevel(new string('a', 128)) && !TopicNames.IsLevel(new string('a', 129)));

    private static PubSubOptions Of(params ConnectionOptions[] connections) =>
        new() { DataSets = [DataSet], Connections = connections };

    private static PubSubOptions Of(params DataSetOptions[] dataSets) =>
        new() { DataSets = dataSets, Connections = [Connection] };

    private static PubSubOptions Of(params WriterGroupOptions[] groups) =>
        Of(Connection with { WriterGroups = groups });

    private static ConnectionOptions Reading(params DataSetReaderOptions[] readers) => Connection with
    {
        WriterGroups = [],
        ReaderGroups = [new ReaderGroupOptions { Name = "in", DataSetReaders = readers }],
    };

    private static PubSubOptions Sealed(string encoding, string mode, string keys) => Of(Connection with
    {
        WriterGroups = [],
        ReaderGroups =
        [
            new ReaderGroupOptions
            {
                Name = "in", Encoding = encoding, SecurityMode = mode, KeysPath = keys, DataSetReaders = [Reader],
            },
        ],
    });
}
