using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Options;
using Gateway.PubSub.Outputs;

namespace Gateway.PubSub.Space;

/// <summary>The settings of connections, groups and writers as the standard shows them: Address, TransportSettings,
/// MessageSettings and the mandatory Properties. They are as configured, and change with the configuration alone.
/// Source: Part 14 §9.1.5 to §9.1.7, §9.2, §9.3.</summary>
internal sealed class SettingsPlan(
    PublishSubscribePlan plan, string publisherId, IReadOnlyList<DataSetOptions> dataSets)
{
    private const uint AddressType = 21147;
    private const uint BrokerConnection = 15155;
    private const uint DatagramConnection = 15064;
    private const uint BrokerGroup = 21136;
    private const uint BrokerWriter = 21138;
    private const uint UadpGroup = 21105;
    private const uint UadpWriter = 21111;
    private const uint JsonGroup = 21126;
    private const uint JsonWriter = 21128;
    private const uint SelectionList = 16309;
    private const uint KeyValuePair = 14533;
    private const uint SecurityMode = 302;
    private const uint Guarantee = 15008;
    private const uint FieldMask = 15583;
    private const uint UadpNetworkMask = 15642;
    private const uint UadpDataSetMask = 15646;
    private const uint JsonNetworkMask = 15654;
    private const uint JsonDataSetMask = 15658;
    private const uint Ordering = 20408;
    private const uint VersionTime = 20998;

    /// <summary>The description that subscribers get, with the groups of both mappings.</summary>
    public IReadOnlyDictionary<string, WriterGroupDataType> Add(NodeId connection, ConnectionOptions options)
    {
        var (json, uadp) = (
            ConnectionDescription.Of(options, publisherId, dataSets, isJson: true),
            ConnectionDescription.Of(options, publisherId, dataSets, isJson: false));
        var its = json.WriterGroups is { Length: > 0 } ? json : uadp;
        plan.AddConstant(
            connection, "TransportProfileUri", StandardIds.DataTypes.String, new Variant(its.TransportProfileUri),
            SelectionList);
        plan.AddConstant(
            connection, "ConnectionProperties", KeyValuePair,
            Variant.FromArray(BuiltInType.ExtensionObject, Array.Empty<ExtensionObject>()), isList: true);
        AddAddress(
            connection, "Address", options.NetworkInterface, $"{options.Url?.Scheme}://{options.Url?.Authority}");
        var transport = plan.AddPart(
            connection, "TransportSettings", options.IsMqtt ? BrokerConnection : DatagramConnection);
        if (options.IsMqtt)
            AddTexts(transport, ("ResourceUri", ""), ("AuthenticationProfileUri", ""));
        else
            AddAddress(transport, "DiscoveryAddress", options.NetworkInterface, options.ProbeUrl?.ToString() ?? "");
        return (json.WriterGroups ?? []).Concat(uadp.WriterGroups ?? []).ToDictionary(static one => one.Name ?? "");
    }

    public void Add(NodeId group, WriterGroupDataType its)
    {
        plan.AddConstant(group, "SecurityMode", SecurityMode, new Variant((int)its.SecurityMode));
        plan.AddConstant(
            group, "MaxNetworkMessageSize", StandardIds.DataTypes.UInt32, new Variant(its.MaxNetworkMessageSize));
        plan.AddConstant(
            group, "GroupProperties", KeyValuePair,
            Variant.FromArray(BuiltInType.ExtensionObject, Array.Empty<ExtensionObject>()), isList: true);
        plan.AddConstant(group, "Priority", StandardIds.DataTypes.Byte, new Variant(its.Priority));
        plan.AddConstant(
            group, "LocaleIds", StandardIds.DataTypes.LocaleId,
            Variant.FromArray(BuiltInType.String, Array.Empty<string>()), isList: true);
        plan.AddConstant(
            group, "HeaderLayoutUri", StandardIds.DataTypes.String, new Variant(its.HeaderLayoutUri ?? ""));
        if (its.TransportSettings.Body is BrokerWriterGroupTransportDataType broker)
            AddBroker(
                plan.AddPart(group, "TransportSettings", BrokerGroup), broker.QueueName,
                broker.RequestedDeliveryGuarantee);
        if (its.MessageSettings.Body is JsonWriterGroupMessageDataType json)
        {
            plan.AddConstant(
                plan.AddPart(group, "MessageSettings", JsonGroup), "NetworkMessageContentMask", JsonNetworkMask,
                new Variant((uint)json.NetworkMessageContentMask));
        }
        else if (its.MessageSettings.Body is UadpWriterGroupMessageDataType uadp)
        {
            var settings = plan.AddPart(group, "MessageSettings", UadpGroup);
            plan.AddConstant(settings, "GroupVersion", VersionTime, new Variant(uadp.GroupVersion));
            plan.AddConstant(settings, "DataSetOrdering", Ordering, new Variant((int)uadp.DataSetOrdering));
            plan.AddConstant(
                settings, "NetworkMessageContentMask", UadpNetworkMask,
                new Variant((uint)uadp.NetworkMessageContentMask));
            plan.AddConstant(
                settings, "PublishingOffset", StandardIds.DataTypes.Duration,
                Variant.FromArray(BuiltInType.Double, Array.Empty<double>()), isList: true);
        }
    }

    public void Add(NodeId writer, DataSetWriterDataType its)
    {
        plan.AddConstant(
            writer, "DataSetFieldContentMask", FieldMask, new Variant((uint)its.DataSetFieldContentMask));
        plan.AddConstant(writer, "KeyFrameCount", StandardIds.DataTypes.UInt32, new Variant(its.KeyFrameCount));
        plan.AddConstant(
            writer, "DataSetWriterProperties", KeyValuePair,
            Variant.FromArray(BuiltInType.ExtensionObject, Array.Empty<ExtensionObject>()), isList: true);
        if (its.TransportSettings.Body is BrokerDataSetWriterTransportDataType broker)
        {
            var transport = plan.AddPart(writer, "TransportSettings", BrokerWriter);
            AddBroker(transport, broker.QueueName, broker.RequestedDeliveryGuarantee);
            AddTexts(transport, ("MetaDataQueueName", broker.MetaDataQueueName));
            plan.AddConstant(
                transport, "MetaDataUpdateTime", StandardIds.DataTypes.Duration,
                new Variant(broker.MetaDataUpdateTime));
        }

        if (its.MessageSettings.Body is JsonDataSetWriterMessageDataType json)
        {
            plan.AddConstant(
                plan.AddPart(writer, "MessageSettings", JsonWriter), "DataSetMessageContentMask", JsonDataSetMask,
                new Variant((uint)json.DataSetMessageContentMask));
        }
        else if (its.MessageSettings.Body is UadpDataSetWriterMessageDataType uadp)
        {
            var settings = plan.AddPart(writer, "MessageSettings", UadpWriter);
            plan.AddConstant(
                settings, "DataSetMessageContentMask", UadpDataSetMask,
                new Variant((uint)uadp.DataSetMessageContentMask));
            foreach (var (name, number) in new[]
            {
                ("ConfiguredSize", uadp.ConfiguredSize), ("NetworkMessageNumber", uadp.NetworkMessageNumber),
                ("DataSetOffset", uadp.DataSetOffset),
            })
                plan.AddConstant(settings, name, StandardIds.DataTypes.UInt16, new Variant(number));
        }
    }

    private void AddAddress(NodeId owner, string name, string networkInterface, string url)
    {
        var address = plan.AddPart(owner, name, AddressType);
        plan.AddConstant(
            address, "NetworkInterface", StandardIds.DataTypes.String, new Variant(networkInterface), SelectionList);
        plan.AddConstant(
            address, "Url", StandardIds.DataTypes.String, new Variant(url),
            StandardIds.VariableTypes.BaseDataVariableType);
    }

    private void AddBroker(NodeId owner, string? queue, BrokerTransportQualityOfService guarantee)
    {
        AddTexts(owner, ("QueueName", queue), ("ResourceUri", ""), ("AuthenticationProfileUri", ""));
        plan.AddConstant(owner, "RequestedDeliveryGuarantee", Guarantee, new Variant((int)guarantee));
    }

    private void AddTexts(NodeId owner, params ReadOnlySpan<(string Name, string? Text)> texts)
    {
        foreach (var (name, text) in texts)
            plan.AddConstant(owner, name, StandardIds.DataTypes.String, new Variant(text ?? ""));
    }
}
