using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.States;

namespace Gateway.PubSub.Space;

/// <summary>The values of the nodes below PublishSubscribe, by the keys of their plan. Threads: any.</summary>
internal sealed class PublishSubscribeValues(IPubSubState state, IReaderState readers)
{
    public Dictionary<string, Variant> Read()
    {
        var values = new Dictionary<string, Variant>(StringComparer.Ordinal)
        {
            [PublishSubscribePlan.StateOfAll] = Of(PubSubState.Operational),
        };
        foreach (var one in state.ReadDataSets())
        {
            values[$"DataSets/{one.Name}/ConfigurationVersion"] = Variant.FromStructure(
                new ConfigurationVersionDataType { MajorVersion = one.MajorVersion, MinorVersion = one.MinorVersion });
        }

        foreach (var one in readers.ReadReaderConnections())
            AddConnection(values, one.Name, one.State);
        foreach (var one in state.ReadConnections())
            Add(values, one);
        foreach (var one in readers.ReadReaders())
            Add(values, one);
        return values;
    }

    private void AddConnection(Dictionary<string, Variant> values, string name, PubSubState its)
    {
        values[$"Connections/{name}/PublisherId"] = new Variant(state.PublisherId);
        values[$"Connections/{name}/Status/State"] = Of(its);
    }

    private void Add(Dictionary<string, Variant> values, ConnectionReport connection)
    {
        AddConnection(values, connection.Name, connection.State);
        foreach (var group in connection.Groups)
        {
            var key = $"Connections/{connection.Name}/WriterGroups/{group.Name}";
            var its = Of(group.Hindrance is null ? PubSubState.Operational : PubSubState.Error);
            values[$"{key}/WriterGroupId"] = new Variant(group.WriterGroupId);
            values[$"{key}/PublishingInterval"] = new Variant(group.PublishingIntervalMs);
            values[$"{key}/KeepAliveTime"] = new Variant(group.KeepAliveMs);
            values[$"{key}/Status/State"] = its;
            values[$"{key}/Diagnostics/SentNetworkMessages"] = new Variant((ulong)group.Messages);
            values[$"{key}/Diagnostics/FailedTransmissions"] = new Variant((ulong)group.Lost);
            values[$"{key}/Diagnostics/SentValues"] = new Variant((ulong)group.Values);
            values[$"{key}/Diagnostics/SkippedValues"] = new Variant((ulong)group.Skipped);
            foreach (var writer in group.Writers)
            {
                var of = PartNames.OfWriter(key, writer.Name);
                values[$"{of}/DataSetWriterId"] = new Variant((ushort)writer.DataSetWriterId);
                values[$"{of}/Status/State"] = its;
                values[$"{of}/Diagnostics/SentDataSetMessages"] = new Variant((ulong)writer.Messages);
            }
        }
    }

    private static void Add(Dictionary<string, Variant> values, ReaderReport reader)
    {
        var group = $"Connections/{reader.Connection}/ReaderGroups/{reader.Group}";
        var key = PartNames.OfReader(group, reader.Name);
        values[$"{group}/Status/State"] = Of(PubSubState.Operational);
        values[$"{key}/PublisherId"] = new Variant(reader.PublisherId);
        values[$"{key}/DataSetWriterId"] = new Variant((ushort)reader.DataSetWriterId);
        values[$"{key}/MessageReceiveTimeout"] = new Variant(reader.MessageReceiveTimeoutMs);
        values[$"{key}/Status/State"] = Of(reader.State);
        values[$"{key}/Diagnostics/ReceivedDataSetMessages"] = new Variant((ulong)reader.Messages);
        values[$"{key}/Diagnostics/FailedDataSetMessages"] = new Variant((ulong)reader.Problems.Values.Sum());
        values[$"{key}/Diagnostics/MissingDataSetMessages"] = new Variant((ulong)reader.Gaps);
    }

    private static Variant Of(PubSubState state) => new((int)state);
}
