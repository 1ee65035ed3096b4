namespace Gateway.PubSub.Options;

/// <summary>Whether options say the same: a record compares its lists by reference.</summary>
internal static class SameOptions
{
    public static bool IsSame(DataSetOptions left, DataSetOptions right) =>
        Alone(left) == Alone(right) && left.Nodes.SequenceEqual(right.Nodes) &&
        left.Fields.SequenceEqual(right.Fields) && left.EventTypes.SequenceEqual(right.EventTypes) &&
        left.EventFields.SequenceEqual(right.EventFields);

    public static bool IsSame(WriterGroupOptions left, WriterGroupOptions right) =>
        Alone(left) == Alone(right) && left.DataSetWriters.SequenceEqual(right.DataSetWriters);

    public static bool IsSame(ReaderGroupOptions left, ReaderGroupOptions right) =>
        Alone(left) == Alone(right) && left.DataSetReaders.SequenceEqual(right.DataSetReaders);

    /// <summary>The readers' part of a connection, also the way to it.</summary>
    public static bool IsSameForReaders(ConnectionOptions left, ConnectionOptions right) =>
        IsSameWayIn(left, right) && left.ReaderGroups.Count == right.ReaderGroups.Count &&
        left.ReaderGroups.Zip(right.ReaderGroups).All(static pair => IsSame(pair.First, pair.Second));

    /// <summary>The way by which a connection's readers get their messages: a store is none of theirs.</summary>
    public static bool IsSameWayIn(ConnectionOptions left, ConnectionOptions right) => WayIn(left) == WayIn(right);

    /// <summary>Without the groups.</summary>
    public static bool IsSameAlone(ConnectionOptions left, ConnectionOptions right) => Alone(left) == Alone(right);

    private static DataSetOptions Alone(DataSetOptions one) => one with
    {
        Nodes = Array.Empty<string>(),
        Fields = Array.Empty<FieldOptions>(),
        EventTypes = Array.Empty<string>(),
        EventFields = Array.Empty<string>(),
    };

    private static ConnectionOptions Alone(ConnectionOptions one) => one with
    {
        WriterGroups = Array.Empty<WriterGroupOptions>(),
        ReaderGroups = Array.Empty<ReaderGroupOptions>(),
    };

    private static ConnectionOptions WayIn(ConnectionOptions one) => Alone(one) with
    {
        Qos = 0,
        StorePath = "",
        StoreMaxBytes = 0,
        StoreOrder = "",
        StoreDrainBytesPerSecond = 0,
        StoreFsync = "",
    };

    private static WriterGroupOptions Alone(WriterGroupOptions one) =>
        one with { DataSetWriters = Array.Empty<DataSetWriterOptions>() };

    private static ReaderGroupOptions Alone(ReaderGroupOptions one) =>
        one with { DataSetReaders = Array.Empty<DataSetReaderOptions>() };
}
