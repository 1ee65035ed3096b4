using Gateway.PubSub.DataSets;
using Gateway.PubSub.Options;

namespace Gateway.Host.Configuration;

/// <summary>Reads <c>PubSub:*</c>.</summary>
internal static class PubSubReader
{
    private const string Section = "PubSub";

    public static PubSubOptions Read(SettingsReader settings)
    {
        var options = new PubSubOptions
        {
            PublisherId = settings.Text($"{Section}:PublisherId"),
            NoncesPath = settings.Text($"{Section}:NoncesPath", new PubSubOptions().NoncesPath),
            VersionsPath = settings.Text($"{Section}:VersionsPath", new PubSubOptions().VersionsPath),
            KeyServices =
            [
                .. settings.Elements($"{Section}:KeyServices").Select(key => new KeyServiceOptions
                {
                    EndpointUrl = settings.Text($"{key}:EndpointUrl"),
                    User = settings.Text($"{key}:User"),
                    Password = settings.Text($"{key}:Password"),
                }),
            ],
            DataSets = [.. settings.Elements($"{Section}:DataSets").Select(key => DataSet(settings, key))],
            Connections = [.. settings.Elements($"{Section}:Connections").Select(key => Connection(settings, key))],
        };
        settings.Errors.AddRange(options.Validate(Section));
        return options;
    }

    private static DataSetOptions DataSet(SettingsReader settings, string key)
    {
        var byDefault = new DataSetOptions();
        var nodes = settings.List($"{key}:Nodes");
        for (var i = 0; i < nodes.Length; i++)
        {
            if (NodePattern.Parse(nodes[i]) is null)
                settings.Error($"{key}:Nodes:{i}", $"'{nodes[i]}': {NodePattern.Expected}");
        }

        var notifier = settings.Text($"{key}:EventNotifier");
        if (notifier.Length > 0 && NodePattern.Parse(notifier) is null)
            settings.Error($"{key}:EventNotifier", $"'{notifier}': {NodePattern.Expected}");
        return new DataSetOptions
        {
            Name = settings.Text($"{key}:Name"),
            Nodes = nodes,
            EventNotifier = notifier,
            EventTypes = settings.List($"{key}:EventTypes"),
            EventMinSeverity = settings.Number($"{key}:EventMinSeverity", byDefault.EventMinSeverity, 0, 1000),
            EventFields = settings.List($"{key}:EventFields"),
            Fields = [.. settings.Elements($"{key}:Fields").Select(field => Field(settings, field))],
            SamplingIntervalMs = settings.Milliseconds($"{key}:SamplingIntervalMs", byDefault.SamplingIntervalMs),
            Deadband = settings.Real($"{key}:Deadband", byDefault.Deadband),
            KeyFrameCount = settings.Number($"{key}:KeyFrameCount", byDefault.KeyFrameCount, 1, int.MaxValue),
        };
    }

    private static FieldOptions Field(SettingsReader settings, string key)
    {
        var node = settings.Text($"{key}:Node");
        if (node.Length > 0 && NodePattern.Parse(node) is null)
            settings.Error($"{key}:Node", $"'{node}': {NodePattern.Expected}");
        return new FieldOptions
        {
            Node = node,
            Name = settings.Text($"{key}:Name"),
            SamplingIntervalMs = settings.IsGiven($"{key}:SamplingIntervalMs")
                ? settings.Milliseconds($"{key}:SamplingIntervalMs", 0)
                : null,
            Deadband = settings.IsGiven($"{key}:Deadband") ? settings.Real($"{key}:Deadband", 0) : null,
        };
    }

    private static ConnectionOptions Connection(SettingsReader settings, string key)
    {
        var byDefault = new ConnectionOptions();
        return new ConnectionOptions
        {
            Name = settings.Text($"{key}:Name"),
            Address = settings.Text($"{key}:Address"),
            DiscoveryAddress = settings.Text($"{key}:DiscoveryAddress"),
            NetworkInterface = settings.Text($"{key}:NetworkInterface"),
            PublisherIdType = settings.Text($"{key}:PublisherIdType", byDefault.PublisherIdType),
            User = settings.Text($"{key}:User"),
            Password = settings.Text($"{key}:Password"),
            AllowInsecurePassword = settings.Flag($"{key}:AllowInsecurePassword", byDefault.AllowInsecurePassword),
            CaPath = settings.Text($"{key}:CaPath"),
            CertificatePath = settings.Text($"{key}:CertificatePath"),
            KeyPath = settings.Text($"{key}:KeyPath"),
            ClientId = settings.Text($"{key}:ClientId"),
            MqttVersion = settings.Text($"{key}:MqttVersion", byDefault.MqttVersion),
            Qos = settings.Number($"{key}:Qos", byDefault.Qos, 0, 1),
            TopicPrefix = settings.Text($"{key}:TopicPrefix", byDefault.TopicPrefix),
            StorePath = settings.Text($"{key}:StorePath"),
            StoreMaxBytes = settings.LongNumber($"{key}:StoreMaxBytes", byDefault.StoreMaxBytes),
            StoreOrder = settings.Text($"{key}:StoreOrder", byDefault.StoreOrder),
            StoreDrainBytesPerSecond =
                settings.LongNumber($"{key}:StoreDrainBytesPerSecond", byDefault.StoreDrainBytesPerSecond),
            StoreFsync = settings.Text($"{key}:StoreFsync", byDefault.StoreFsync),
            WriterGroups = [.. settings.Elements($"{key}:WriterGroups").Select(group => Group(settings, group))],
            ReaderGroups =
                [.. settings.Elements($"{key}:ReaderGroups").Select(group => ReaderGroup(settings, group))],
        };
    }

    private static WriterGroupOptions Group(SettingsReader settings, string key)
    {
        var intervalKey = $"{key}:PublishingIntervalMs";
        var byDefault = new WriterGroupOptions
        {
            PublishingIntervalMs =
                settings.Milliseconds(intervalKey, new WriterGroupOptions().PublishingIntervalMs),
        };
        return byDefault with
        {
            Name = settings.Text($"{key}:Name"),
            WriterGroupId = settings.Number($"{key}:WriterGroupId", 0, 0, ushort.MaxValue),
            Encoding = settings.Text($"{key}:Encoding", byDefault.Encoding),
            Template = settings.Text($"{key}:Template", byDefault.Template),
            HeaderLayout = settings.Text($"{key}:HeaderLayout"),
            FieldEncoding = settings.Text($"{key}:FieldEncoding"),
            FieldContent = settings.Text($"{key}:FieldContent"),
            NetworkMessageContent = settings.Text($"{key}:NetworkMessageContent"),
            DataSetMessageContent = settings.Text($"{key}:DataSetMessageContent"),
            KeepAliveMs = settings.Milliseconds($"{key}:KeepAliveMs", byDefault.KeepAliveMs),
            Batched = settings.Flag($"{key}:Batched", byDefault.Batched),
            SecurityMode = settings.Text($"{key}:SecurityMode", byDefault.SecurityMode),
            KeysPath = settings.Text($"{key}:KeysPath"),
            SecurityGroupId = settings.Text($"{key}:SecurityGroupId"),
            DataSetWriters =
            [
                .. settings.Elements($"{key}:DataSetWriters").Select(writer => new DataSetWriterOptions
                {
                    Name = settings.Text($"{writer}:Name"),
                    DataSetWriterId = settings.Number($"{writer}:DataSetWriterId", 0, 0, ushort.MaxValue),
                    DataSet = settings.Text($"{writer}:DataSet"),
                }),
            ],
        };
    }

    private static ReaderGroupOptions ReaderGroup(SettingsReader settings, string key) => new()
    {
        Name = settings.Text($"{key}:Name"),
        Encoding = settings.Text($"{key}:Encoding", new ReaderGroupOptions().Encoding),
        SecurityMode = settings.Text($"{key}:SecurityMode", new ReaderGroupOptions().SecurityMode),
        KeysPath = settings.Text($"{key}:KeysPath"),
        SecurityGroupId = settings.Text($"{key}:SecurityGroupId"),
        DataSetReaders =
            [.. settings.Elements($"{key}:DataSetReaders").Select(reader => DataSetReader(settings, reader))],
    };

    private static DataSetReaderOptions DataSetReader(SettingsReader settings, string key)
    {
        var byDefault = new DataSetReaderOptions();
        return new DataSetReaderOptions
        {
            Name = settings.Text($"{key}:Name"),
            PublisherId = settings.Text($"{key}:PublisherId"),
            DataSetWriterId = settings.Number($"{key}:DataSetWriterId", 0, 0, ushort.MaxValue),
            WriterGroupId = settings.Number($"{key}:WriterGroupId", 0, 0, ushort.MaxValue),
            GroupVersion = settings.LongNumber($"{key}:GroupVersion", byDefault.GroupVersion),
            MessageReceiveTimeoutMs =
                settings.Milliseconds($"{key}:MessageReceiveTimeoutMs", byDefault.MessageReceiveTimeoutMs),
            NodeIds = settings.Text($"{key}:NodeIds", byDefault.NodeIds),
            MetaDataPath = settings.Text($"{key}:MetaDataPath"),
        };
    }
}
