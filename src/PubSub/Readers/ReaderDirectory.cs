using Gateway.Codec.Structures;
using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Readers;

/// <summary>The readers of a connection by the writer that they take. Owner: an input; one thread at a time.</summary>
internal sealed class ReaderDirectory(IReadOnlyList<DataSetReader> readers) : IMetaDataLookup
{
    private readonly Dictionary<(string Publisher, int Writer), DataSetReader> _readers =
        readers.ToDictionary(static one => (one.PublisherId, one.DataSetWriterId));

    /// <summary>Of the topic: messages need not name it.</summary>
    public string? Publisher { get; set; }

    public DataSetReader? Find(string? publisher, int writer) =>
        publisher is null ? null : _readers.GetValueOrDefault((publisher, writer));

    DataSetMetaDataType? IMetaDataLookup.Find(ReceivedDataSet message) =>
        Find(message.PublisherId ?? Publisher, message.DataSetWriterId ?? 0)?.MetaData;
}
