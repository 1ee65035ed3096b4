using Gateway.Codec.Binary;
using Gateway.PubSub.Uadp.Discovery;
using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.Uadp.Reading;

/// <summary>
/// Reads NetworkMessages in UADP, one datagram or payload of a broker at a time. Nothing throws: each message has an
/// outcome and a counter. A DataSetMessage that cannot be read costs the others nothing where their places are known.
/// Owner: the loop of a connection; one thread at a time. Source: Part 14 §7.2.4.4.
/// </summary>
internal sealed class UadpNetworkMessageReader : IDisposable
{
    private readonly UadpReaderOptions _options;
    private readonly IUadpDirectory _directory;
    private readonly UadpOpener _opener;
    private readonly UadpChunkAssembler _chunks;
    private readonly UadpDataSetReader _dataSets;

    /// <param name="options">Limits and the least security.</param>
    /// <param name="directory">Metadata.</param>
    /// <param name="keys">Null: none; then sealed messages are of unknown keys.</param>
    /// <param name="time">For time-outs.</param>
    /// <param name="replays">Of an earlier reader of the group; null: it knows nothing yet.</param>
    public UadpNetworkMessageReader(
        UadpReaderOptions options, IUadpDirectory directory, ISecurityKeySource? keys, TimeProvider time,
        UadpReplayBook? replays = null)
    {
        (_options, _directory) = (options, directory);
        Replays = replays ?? new UadpReplayBook(time);
        _opener = new UadpOpener(options, keys, Replays);
        _chunks = new UadpChunkAssembler(options, Counters, time);
        _dataSets = new UadpDataSetReader(options);
    }

    public UadpReaderCounters Counters { get; } = new();

    internal UadpChunkAssembler Chunks => _chunks;

    internal UadpReplayBook Replays { get; }

    /// <param name="message">A datagram, or a payload of a broker.</param>
    /// <param name="publisher">Of the topic, for a message that does not say it; null: there is none.</param>
    public UadpReadResult Read(ReadOnlySpan<byte> message, UadpPublisherId? publisher = null)
    {
        var result = ReadMessage(message, publisher) with { Origin = _opener.Origin };
        Counters.Count(result.Problem);
        foreach (var dataSet in result.Data?.DataSets ?? [])
            Counters.Count(dataSet.Problem);
        return result;
    }

    /// <summary>For a timer: gives up payloads whose chunks do not come.</summary>
    public void GiveUpLate() => _chunks.GiveUpLate();

    public void Dispose()
    {
        _opener.Dispose();
        _dataSets.Dispose();
    }

    private UadpReadResult ReadMessage(ReadOnlySpan<byte> message, UadpPublisherId? publisher)
    {
        if (message.Length > _options.MaxMessageBytes)
            return new(UadpReadProblem.TooLarge);
        var problem = UadpReceivedHead.Read(message, _options.Values, out var head);
        if (problem != UadpReadProblem.None)
            return new(problem);
        head.PublisherId ??= publisher;
        problem = _opener.Open(message, head, out var payload);
        if (problem != UadpReadProblem.None)
            return new(problem);
        if (head.IsChunk)
        {
            problem = AddChunk(message, head, payload, out var whole);
            if (problem != UadpReadProblem.None)
                return new(problem);
            payload = whole;
        }

        return head.MessageType switch
        {
            UadpFlags.DiscoveryAnnouncement => UadpDiscoveryReader.ReadAnnouncement(payload, head, _options),
            UadpFlags.DiscoveryProbe => UadpDiscoveryReader.ReadProbe(payload, head, _options),
            _ => ReadData(message, payload, head),
        };
    }

    private UadpReadProblem AddChunk(
        ReadOnlySpan<byte> message, in UadpReceivedHead head, ReadOnlySpan<byte> payload, out byte[]? whole)
    {
        whole = null;
        var reader = new UaBinaryReader(payload, _options.Values);
        var sequenceNumber = reader.ReadUInt16();
        var offset = reader.ReadUInt32();
        var total = reader.ReadUInt32();
        var data = reader.ReadByteStringSpan();
        if (reader.Failed)
            return UadpReadProblem.Malformed;
        var writer = head.WriterCount > 0 ? head.WriterId(message, 0) : head.NetworkMessageNumber ?? 0;
        var key = new UadpChunkKey(
            head.PublisherId, head.MessageType, head.WriterGroupId ?? 0, writer, sequenceNumber);
        return _chunks.Add(key, offset, total, data, out whole);
    }

    private UadpReadResult ReadData(
        ReadOnlySpan<byte> message, ReadOnlySpan<byte> payload, in UadpReceivedHead head)
    {
        var dataSets = new List<UadpDataSet>();
        var isRead = head.HasPayloadHeader
            ? TryReadNamed(message, payload, head, dataSets)
            : TryReadPlaced(payload, head, dataSets);
        if (!isRead)
            return new(UadpReadProblem.Malformed);
        return new(UadpReadProblem.None, new UadpMessage
        {
            PublisherId = head.PublisherId?.ToString(),
            WriterGroupId = head.WriterGroupId,
            GroupVersion = head.GroupVersion,
            NetworkMessageNumber = head.NetworkMessageNumber,
            SequenceNumber = head.SequenceNumber,
            DataSetClassId = head.ClassId,
            Timestamp = head.Timestamp,
            SecurityMode = head.SecurityMode,
            DataSets = dataSets,
        });
    }

    /// <summary>With a payload header: writers, and sizes if there is more than one. False: they do not fit.</summary>
    private bool TryReadNamed(
        ReadOnlySpan<byte> message, ReadOnlySpan<byte> payload, in UadpReceivedHead head,
        List<UadpDataSet> dataSets)
    {
        var count = head.WriterCount;
        if (count == 0)
            return false;
        if (count == 1)
        {
            dataSets.Add(ReadDataSet(payload, head, head.WriterId(message, 0), out _));
            return true;
        }

        var sizes = new UaBinaryReader(payload, _options.Values);
        var start = count * sizeof(ushort);
        for (var i = 0; i < count; i++)
        {
            int size = sizes.ReadUInt16();
            if (sizes.Failed || size == 0 || size > payload.Length - start)
                return false;
            dataSets.Add(ReadDataSet(payload.Slice(start, size), head, head.WriterId(message, i), out _));
            start += size;
        }

        return true;
    }

    /// <summary>Without a payload header: the configuration says what stands where.</summary>
    private bool TryReadPlaced(ReadOnlySpan<byte> payload, in UadpReceivedHead head, List<UadpDataSet> dataSets)
    {
        var slots = _directory.FindSlots(
            head.PublisherId, head.WriterGroupId ?? 0, head.NetworkMessageNumber ?? 0);
        if (slots.IsEmpty || (head.IsChunk && slots.Length > 1))
        {
            dataSets.Add(ReadDataSet(payload, head, 0, out _));
            return true;
        }

        foreach (var slot in slots)
        {
            if (payload.IsEmpty || slot.ConfiguredSize > payload.Length)
                return false;
            var place = slot.ConfiguredSize > 0 ? payload[..slot.ConfiguredSize] : payload;
            var dataSet = ReadDataSet(place, head, slot.DataSetWriterId, out var used);
            dataSets.Add(dataSet);

            // Where its end is not known, the others' start is not either.
            if (slot.ConfiguredSize == 0 && dataSet.Problem != UadpDataSetProblem.None)
                return true;
            payload = payload[(slot.ConfiguredSize > 0 ? slot.ConfiguredSize : used)..];
        }

        return true;
    }

    private UadpDataSet ReadDataSet(
        ReadOnlySpan<byte> bytes, in UadpReceivedHead head, ushort writerId, out int used)
    {
        var metaData = _directory.FindMetaData(head.PublisherId, head.WriterGroupId ?? 0, writerId);
        return _dataSets.Read(bytes, writerId, metaData, out used);
    }
}
