using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Json;
using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Readers;

/// <summary>Gives the JSON messages of publishers' topics to their readers. A message that another publisher wrote on
/// these topics is not used. Owner: the connection's loop; one thread at a time.</summary>
internal sealed class JsonInput(IReadOnlyList<DataSetReader> readers, ReaderParts parts, TableStructures structures)
    : IReaderInput
{
    private readonly ReaderDirectory _directory = new(readers);

    private readonly ILookup<string, DataSetReader> _byPublisher = readers.ToLookup(static one => one.PublisherId);

    private readonly JsonReaderLimits _limits = new()
    {
        MaxMessageBytes = ReaderParts.MaxMetaDataBytes,
        MaxFields = parts.Limits.MaxPubSubFields,
    };

    private string[]? _uris;
    private IJsonStructures? _known;
    private JsonNetworkMessageReader? _reader;

    public bool TakesStatus => true;

    public bool TryTake(string? publisher, ReadOnlySpan<byte> message)
    {
        // A publisher takes a retained message back.
        if (message.IsEmpty)
            return true;
        if (publisher is null || !_byPublisher.Contains(publisher))
            return false;
        Take(publisher, message, _byPublisher[publisher]);
        return true;
    }

    private void Take(string publisher, ReadOnlySpan<byte> text, IEnumerable<DataSetReader> publisherReaders)
    {
        _directory.Publisher = publisher;
        var message = Current().Read(text, _directory, out _);
        switch (message)
        {
            case null:
                Count(ReaderProblem.Unreadable, publisherReaders);
                break;
            case { PublisherId: { } named } when named != publisher:
                Count(ReaderProblem.Stranger, publisherReaders);
                break;
            case ReceivedMetaData metaData:
                TakeMetaData(publisher, metaData);
                break;
            case ReceivedData when text.Length > parts.Limits.MaxPubSubMessageBytes:
                Count(ReaderProblem.TooLarge, publisherReaders);
                break;
            case ReceivedData data:
                foreach (var dataSet in data.DataSets)
                    TakeData(publisher, dataSet);
                break;
            case ReceivedStatus { Status: PubSubState.Error or PubSubState.Disabled }:
                foreach (var reader in publisherReaders)
                    reader.TakeEnd();
                break;
        }
    }

    /// <summary>False: the text is no metadata of the reader's writer, or it is of no use.</summary>
    public bool TryTakeMetaData(DataSetReader reader, ReadOnlySpan<byte> text) =>
        Current().Read(text, _directory, out _) is ReceivedMetaData message &&
        message.DataSetWriterId == reader.DataSetWriterId && TryTakeMetaData(reader, message.MetaData);

    private static void Count(ReaderProblem problem, IEnumerable<DataSetReader> readers)
    {
        foreach (var reader in readers)
            reader.Problems.Count(problem);
    }

    /// <summary>The publisher may have writers that no reader takes.</summary>
    private void TakeData(string publisher, ReceivedDataSet dataSet) =>
        _directory.Find(publisher, dataSet.DataSetWriterId ?? 0)?.Take(dataSet);

    private void TakeMetaData(string publisher, ReceivedMetaData message)
    {
        if (_directory.Find(publisher, message.DataSetWriterId) is { } reader)
            TryTakeMetaData(reader, message.MetaData);
    }

    /// <summary>Nodes take the namespaces that they need. Values that hold NodeIds may need any of the publisher's, as
    /// far as its share goes; those of the others stay texts.</summary>
    private bool TryTakeMetaData(DataSetReader reader, DataSetMetaDataType metaData)
    {
        if (!reader.TryTake(metaData))
            return false;
        if ((metaData.Fields ?? []).Any(static field =>
            field.BuiltInType == 0 || ValueMapper.HasIndexes((BuiltInType)field.BuiltInType)))
        {
            foreach (var uri in metaData.Namespaces ?? [])
                parts.Namespaces.TryGetOrAdd(reader.PublisherId, uri, out _);
        }

        return true;
    }

    /// <summary>With the namespaces and structures that there are now.</summary>
    private JsonNetworkMessageReader Current()
    {
        var (uris, known) = (parts.Nodes.Namespaces.Uris, structures.Current);
        if (_reader is null || uris != _uris || known != _known)
        {
            (_uris, _known) = (uris, known);
            _reader = new JsonNetworkMessageReader(
                new JsonFormat { Uris = new JsonUris(uris, uris[1..2]), Structures = known }, _limits);
        }

        return _reader;
    }
}
