using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.States;

namespace Gateway.PubSub.Space;

/// <summary>The values of the nodes below PublishSubscribe, by the keys of their plan. Threads: any.</summary>
internal sealed class PublishSubscribeValues(IPubSubState state, IReaderState readers, DiagnosticsValues diagnostics)
{
    public Dictionary<string, Variant> Read()
    {
        var values = ReadRaw();
        diagnostics.Complete(values);
        return values;
    }

    /// <summary>The counters of one diagnostics object begin at 0 again.</summary>
    public void Reset(string key) => diagnostics.Reset(key, ReadRaw());

    private Dictionary<string, Variant> ReadRaw()
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
        foreach (var group in readers.ReadReaders().GroupBy(static one => (one.Connection, one.Group)))
            AddGroup(values, $"Connections/{group.Key.Connection}/ReaderGroups/{group.Key.Group}", [.. group]);
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
            AddCounters(
                values, key, group.Errors, group.Returns, ("SentNetworkMessages", group.Messages),
                ("FailedTransmissions", group.Lost), ("EncryptionErrors", group.Errors),
                ("SentValues", group.Values), ("SkippedValues", group.Skipped));
            AddLive(
                values, key, "DataSetWriters", group.Writers.Count, group.Hindrance is null ? group.Writers.Count : 0);
            foreach (var writer in group.Writers)
            {
                var of = PartNames.OfWriter(key, writer.Name);
                values[$"{of}/DataSetWriterId"] = new Variant((ushort)writer.DataSetWriterId);
                values[$"{of}/Status/State"] = its;
                AddCounters(
                    values, of, group.Errors, group.Returns, ("SentDataSetMessages", writer.Messages));
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
        AddCounters(
            values, key, reader.Errors, reader.Returns, ("ReceivedDataSetMessages", reader.Messages),
            ("FailedDataSetMessages", reader.Problems.Values.Sum()), ("MissingDataSetMessages", reader.Gaps));
    }

    private static void AddGroup(
        Dictionary<string, Variant> values, string key, IReadOnlyList<ReaderReport> readers)
    {
        AddCounters(values, key, 0, 0, ("ReceivedNetworkMessages", readers.Sum(static one => one.Messages)));
        AddLive(
            values, key, "DataSetReaders", readers.Count,
            readers.Count(static one => one.State == PubSubState.Operational));
    }

    private static void AddLive(
        Dictionary<string, Variant> values, string owner, string parts, int configured, int operational)
    {
        values[$"{owner}/Diagnostics/LiveValues/Configured{parts}"] = new Variant((ushort)configured);
        values[$"{owner}/Diagnostics/LiveValues/Operational{parts}"] = new Variant((ushort)operational);
    }

    /// <summary>A part is enabled with its connection, once; errors and returns follow.</summary>
    private static void AddCounters(
        Dictionary<string, Variant> values, string owner, long errors, long returns,
        params ReadOnlySpan<(string Name, long Count)> counters)
    {
        var key = $"{owner}/Diagnostics/Counters";
        values[$"{key}/{DiagnosticsParts.StateOperationalByParent}"] = new Variant(1u);
        values[$"{key}/{DiagnosticsParts.StateError}"] = new Variant(unchecked((uint)errors));
        values[$"{key}/{DiagnosticsParts.StateOperationalFromError}"] = new Variant(unchecked((uint)returns));
        foreach (var (name, count) in counters)
            values[$"{key}/{name}"] = new Variant(unchecked((uint)count));
    }

    private static Variant Of(PubSubState state) => new((int)state);
}
