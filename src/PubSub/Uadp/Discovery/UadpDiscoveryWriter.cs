using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.Uadp.Discovery;

/// <summary>
/// Announcements of a publisher and probes of a subscriber. Shape: <c>Version and flags, ExtendedFlags1,
/// ExtendedFlags2, PublisherId, SecurityHeader</c> (also where nothing is sealed), then of an announcement
/// <c>AnnouncementType, SequenceNumber UInt16, its structure</c>, of a probe <c>ProbeType, InformationType,
/// [DataSetWriterIds UInt16[]]</c>. Content that is too large for a message goes out in chunks.
/// Each call makes the parts anew.
/// Owner: a connection; one thread at a time. Source: Part 14 §7.2.4.6.
/// </summary>
internal sealed class UadpDiscoveryWriter : IDisposable
{
    /// <summary>ProbeType.</summary>
    public const int PublisherInformation = 1;

    /// <summary>ApplicationInformationType. Source: Part 14 Table 169.</summary>
    public const ushort ApplicationDescription = 1;

    public const ushort ApplicationStatus = 2;

    private readonly UadpWriterOptions _options;
    private readonly UadpSealer? _sealer;
    private readonly PooledBuffer _body;
    private readonly UadpParts _parts;
    private readonly int _headBytes;

    /// <param name="options">Of the connection.</param>
    /// <param name="sealer">The writer's from here on; null: messages are not sealed.</param>
    public UadpDiscoveryWriter(UadpWriterOptions options, UadpSealer? sealer = null)
    {
        (_options, _sealer) = (options, sealer);
        _headBytes = 3 + options.PublisherId.SizeBytes +
            (sealer is null ? UadpSeal.EmptyHeaderBytes : UadpSealer.SizeBytes);
        var room = options.MaxMessageBytes - _headBytes - UadpChunk.HeadBytes;
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(room, nameof(options));
        _body = new PooledBuffer(limitBytes: options.MaxDataSetMessageBytes);
        _parts = new UadpParts((int)Math.Min(
            int.MaxValue / 2, (((long)options.MaxDataSetMessageBytes / room) + 2) * options.MaxMessageBytes));
    }

    /// <summary>Of the next announcement.</summary>
    public ushort NextSequenceNumber { get; set; }

    public int PartCount => _parts.Count;

    /// <summary>Valid until the next call that writes.</summary>
    public ReadOnlyMemory<byte> Part(int index) => _parts[index];

    /// <summary>False: it is too large, or there is no key. So in all methods that write.</summary>
    public bool TryWriteMetaData(ushort writerId, DataSetMetaDataType metaData, StatusCode status = default)
    {
        var writer = Announce(UadpAnnouncementType.DataSetMetaData);
        writer.WriteUInt16(writerId);
        writer.WriteStructure(metaData);
        writer.WriteStatusCode(status);
        return TryFinish(ref writer, UadpFlags.DiscoveryAnnouncement);
    }

    /// <param name="writerIds">Those asked for or changed.</param>
    /// <param name="group">With these writers alone, and without configuration properties.</param>
    /// <param name="statuses">One for each id.</param>
    public bool TryWriteConfiguration(
        ReadOnlySpan<ushort> writerIds, WriterGroupDataType group, ReadOnlySpan<StatusCode> statuses)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(statuses.Length, writerIds.Length);
        var writer = Announce(UadpAnnouncementType.DataSetWriterConfiguration);
        writer.WriteInt32(writerIds.Length);
        foreach (var id in writerIds)
            writer.WriteUInt16(id);
        writer.WriteStructure(group);
        writer.WriteInt32(statuses.Length);
        foreach (var status in statuses)
            writer.WriteStatusCode(status);
        return TryFinish(ref writer, UadpFlags.DiscoveryAnnouncement);
    }

    public bool TryWriteEndpoints(EndpointDescription[] endpoints, StatusCode status = default)
    {
        var writer = Announce(UadpAnnouncementType.PublisherEndpoints);
        writer.WriteStructureArray(endpoints);
        writer.WriteStatusCode(status);
        return TryFinish(ref writer, UadpFlags.DiscoveryAnnouncement);
    }

    /// <summary>Source: Part 14 §7.2.4.6.8.</summary>
    public bool TryWriteConnections(params PubSubConnectionDataType[] connections)
    {
        var writer = Announce(UadpAnnouncementType.Connections);
        writer.WriteStructureArray(connections);
        return TryFinish(ref writer, UadpFlags.DiscoveryAnnouncement);
    }

    /// <summary>Source: Part 14 §7.2.4.6.5.</summary>
    public bool TryWriteApplication(ApplicationDescription description, IReadOnlyList<string> capabilities)
    {
        var writer = Announce(UadpAnnouncementType.Application);
        writer.WriteUInt16(ApplicationDescription);
        writer.WriteStructure(description);
        writer.WriteInt32(capabilities.Count);
        foreach (var capability in capabilities)
            writer.WriteString(capability);
        return TryFinish(ref writer, UadpFlags.DiscoveryAnnouncement);
    }

    /// <summary>One that is not cyclic: it has no times. Source: Part 14 §7.2.4.6.7.</summary>
    public bool TryWriteStatus(PubSubState state)
    {
        var writer = Announce(UadpAnnouncementType.Application);
        writer.WriteUInt16(ApplicationStatus);
        writer.WriteBoolean(false);
        writer.WriteInt32((int)state);
        return TryFinish(ref writer, UadpFlags.DiscoveryAnnouncement);
    }

    /// <param name="type">The content of the answer.</param>
    /// <param name="writerIds">Not for endpoints.</param>
    public bool TryWriteProbe(UadpAnnouncementType type, params ReadOnlySpan<ushort> writerIds)
    {
        var writer = Open();
        writer.WriteByte(PublisherInformation);
        writer.WriteByte((byte)type);
        if (type != UadpAnnouncementType.PublisherEndpoints)
        {
            writer.WriteInt32(writerIds.Length);
            foreach (var id in writerIds)
                writer.WriteUInt16(id);
        }

        return TryFinish(ref writer, UadpFlags.DiscoveryProbe);
    }

    public void Dispose()
    {
        _body.Dispose();
        _parts.Dispose();
        _sealer?.Dispose();
    }

    private UaBinaryWriter Open()
    {
        _body.Reset();
        _parts.Reset();
        return new UaBinaryWriter(_body);
    }

    private UaBinaryWriter Announce(UadpAnnouncementType type)
    {
        var writer = Open();
        writer.WriteByte((byte)type);
        writer.WriteUInt16(NextSequenceNumber);
        return writer;
    }

    private bool TryFinish(ref UaBinaryWriter body, int messageType)
    {
        // A probe has no number that its chunks could be told by.
        var isAnnouncement = messageType == UadpFlags.DiscoveryAnnouncement;
        if (body.Failed || (!isAnnouncement && body.Position > _options.MaxMessageBytes - _headBytes))
            return false;
        body.Complete();
        var isWritten = TryWriteParts(messageType);
        if (!isWritten)
            _parts.Reset();
        else if (isAnnouncement)
            NextSequenceNumber++;
        return isWritten;
    }

    private bool TryWriteParts(int messageType)
    {
        var content = _body.WrittenSpan;
        var isChunked = content.Length > _options.MaxMessageBytes - _headBytes;
        var room = _options.MaxMessageBytes - _headBytes - (isChunked ? UadpChunk.HeadBytes : 0);
        for (var offset = 0; offset < content.Length; offset += room)
        {
            UadpSeal seal = default;
            if (_sealer is not null && !_sealer.TryNext(out seal))
                return false;
            var writer = _parts.Open();
            writer.WriteByte(UadpFlags.Version | UadpFlags.PublisherId | UadpFlags.ExtendedFlags1);
            writer.WriteByte((byte)((int)_options.PublisherId.Type | UadpFlags.Security | UadpFlags.ExtendedFlags2));
            writer.WriteByte((byte)(messageType | (isChunked ? UadpFlags.Chunk : 0)));
            _options.PublisherId.Write(ref writer);
            seal.WriteHeader(ref writer);
            var payload = writer.Position;
            var length = Math.Min(room, content.Length - offset);
            if (isChunked)
                UadpChunk.Write(ref writer, NextSequenceNumber, content, offset, length);
            else
                writer.WriteRaw(content);
            _parts.Close(ref writer, payload, seal);
        }

        return true;
    }
}
