using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.PubSub.Json;
using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Readers;

/// <summary>Gives the JSON messages of one publisher's topics to their readers. A message that another publisher wrote
/// on these topics is not used. Owner: the connection's loop; one thread at a time.</summary>
internal sealed class JsonInput(
    ReaderDirectory directory, ReaderParts parts, TableStructures structures)
{
    private readonly JsonReaderLimits _limits = new()
    {
        MaxMessageBytes = parts.Limits.MaxPubSubMessageBytes,
        MaxFields = parts.Limits.MaxPubSubFields,
    };

    private string[]? _uris;
    private IJsonStructures? _known;
    private JsonNetworkMessageReader? _reader;

    /// <param name="publisher">Of the topic.</param>
    /// <param name="text">The message.</param>
    /// <param name="publisherReaders">The readers of that publisher.</param>
    public void Take(string publisher, ReadOnlySpan<byte> text, IReadOnlyList<DataSetReader> publisherReaders)
    {
        // A publisher takes a retained message back.
        if (text.IsEmpty)
            return;
        var message = Current().Read(text, directory, out _);
        switch (message)
        {
            case null:
                Count(ReaderProblem.Unreadable, publisherReaders);
                break;
            case { PublisherId: { } named } when named != publisher:
                Count(ReaderProblem.Stranger, publisherReaders);
                break;
            case ReceivedMetaData metaData:
                TakeMetaData(publisher, metaData, text);
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

    private static void Count(ReaderProblem problem, IReadOnlyList<DataSetReader> readers)
    {
        foreach (var reader in readers)
            reader.Problems.Count(problem);
    }

    /// <summary>The publisher may have writers that no reader takes.</summary>
    private void TakeData(string publisher, ReceivedDataSet dataSet) =>
        directory.Find(publisher, dataSet.DataSetWriterId ?? 0)?.Take(dataSet);

    /// <summary>NodeIds of namespaces that are new here can be read only when these are known.</summary>
    private void TakeMetaData(string publisher, ReceivedMetaData message, ReadOnlySpan<byte> text)
    {
        if (directory.Find(publisher, message.DataSetWriterId) is not { } reader)
            return;

        var uris = message.MetaData.Namespaces ?? [];
        if (!uris.All(uri => parts.Namespaces.TryGetOrAdd(uri, out _)))
        {
            reader.Problems.Count(ReaderProblem.MetaDataRefused);
            return;
        }

        if (Current().Read(text, directory, out _) is ReceivedMetaData again)
            reader.TryTake(again.MetaData);
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
